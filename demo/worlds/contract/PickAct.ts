/** What one can do with a picked object. */
export const PICK_ACTS = ['hide', 'rest', 'alone', 'remove'] as const;
export type PickAct = (typeof PICK_ACTS)[number];
