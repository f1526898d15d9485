// Outlines and places are long lists of number pairs. As text, '0 0, 4 0, 4 3', they stay on a line and readable.

export const points = (text) => text.split(',').map((tuple) => tuple.trim().split(' ').map(Number));
