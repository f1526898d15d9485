// The house designs, as numbers. A house stands on y = 0 with its front at +z.

export const FLOOR = 2.8;
export const PLINTH = 0.3;

// ridge 'x': eaves to the street; 'z': gable to the street. `rise`: height of the gable. `wing`: a second, lower
// gable to the front at this x. `timber`, `shop`, `dormers` (x positions), `shutters`: dressing.
export const designs = {
  cottage: { width: 7.6, depth: 6.4, floors: 1, rise: 3.4, ridge: 'x', shutters: true },
  longCottage: { width: 10.5, depth: 6.4, floors: 1, rise: 3.6, ridge: 'x', dormers: [-2.4, 2.4] },
  gable: { width: 6.6, depth: 8, floors: 2, rise: 3.8, ridge: 'z' },
  tallGable: { width: 6.2, depth: 8.4, floors: 3, rise: 4, ridge: 'z', shop: true },
  house: { width: 8.4, depth: 7, floors: 2, rise: 3.4, ridge: 'x', shutters: true },
  wideHouse: { width: 11, depth: 7.4, floors: 2, rise: 3.6, ridge: 'x', dormers: [-3, 0, 3] },
  angle: { width: 11, depth: 7, floors: 2, rise: 3.4, ridge: 'x', wing: 2.6, shutters: true },
  lowAngle: { width: 10, depth: 6.6, floors: 1, rise: 3.4, ridge: 'x', wing: -2.1 },
  timbered: { width: 7, depth: 8, floors: 2, rise: 4.2, ridge: 'z', timber: true },
  wideTimbered: { width: 9.6, depth: 7.4, floors: 2, rise: 4.2, ridge: 'x', timber: true, shop: true },
  town: { width: 9, depth: 8, floors: 3, rise: 3.4, ridge: 'x', shop: true, dormers: [-2, 2] },
  slimTown: { width: 7, depth: 8, floors: 3, rise: 3.2, ridge: 'x', shop: true, shutters: true },
  warehouse: { width: 9, depth: 11.5, floors: 3, rise: 4.4, ridge: 'z', plain: true },
};
