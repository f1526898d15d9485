export {}; // a module: its names are its own

const COUNT = 200_000;
const boxes = new Float64Array(6 * COUNT);
for (let i = 0; i < COUNT; i++) {
  // A spiral of two arms, thinner outside.
  const distance = 40 * Math.random() ** 1.5;
  const angle = distance / 6 + Math.PI * (i % 2) + (Math.random() - 0.5) * (Math.random() + 0.6) * 2.4;
  const center = [distance * Math.cos(angle), distance * Math.sin(angle), (Math.random() - 0.5) * 4];
  const half = 0.02 + 0.08 * Math.random() ** 4;
  for (let side = 0; side < 6; side++) boxes[6 * i + side] = center[side % 3] + (side < 3 ? -half : half);
}

postMessage(boxes, { transfer: [boxes.buffer] });
