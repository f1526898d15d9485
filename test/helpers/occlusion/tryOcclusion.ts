import { Payoff } from '../../../src/passes/Payoff.js';

/**
 * Has what is hidden looked for in every picture, also where that does not pay.
 * @returns what ends this.
 */
export function tryOcclusion(): () => void {
  const { prototype } = Payoff;
  const { takeTurn } = prototype;
  prototype.takeTurn = () => true;
  return () => {
    prototype.takeTurn = takeTurn;
  };
}
