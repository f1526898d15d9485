/** By what a client comes back to its player, in whichever region that is; nobody else may know it. */
export interface Ticket {
  entity: number;
  secret: bigint;
}

/** As Colyseus carries it: the token of the client. */
export function writeTicket({ entity, secret }: Ticket): string {
  return `${entity.toString(16)}.${secret.toString(16)}`;
}

/** Reads what `writeTicket` wrote; null for anything else. */
export function readTicket(token: string): Ticket | null {
  const parts = /^([0-9a-f]{1,14})\.([0-9a-f]{1,16})$/.exec(token);
  if (parts === null) return null;
  const entity = Number.parseInt(parts[1], 16);
  const secret = BigInt(`0x${parts[2]}`);
  return Number.isSafeInteger(entity) && secret > 0n ? { entity, secret } : null;
}
