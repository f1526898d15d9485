import type { Client, Room } from '@colyseus/sdk';
import { MOVED } from '../src/protocol/closeCodes.js';
import { TICKET } from '../src/protocol/limits.js';

/** What a page wants to know of its player. */
export interface Follower {
  /** It is in this room from now on. */
  joined(room: Room): void;
  /** The connection broke; it is tried to come back. */
  lost(): void;
  /** It is over, for a reason in words. */
  ended(reason: string): void;
}

/** Codes of connections that broke, or whose server ends: the player waits for a while. */
const BROKEN = [1001, 1005, 1006, 4001];
/** So often it is tried to come back, and after how long, in milliseconds. */
const TRIES = 20;
const AGAIN = 500;

/** Joins the world, and goes where the player goes: over borders, and back after the connection broke. */
export async function follow(client: Client, follower: Follower): Promise<void> {
  const enter = (room: Room): void => {
    // The player may be in another process by the time that Colyseus would come back to this one.
    room.reconnection.enabled = false;
    room.onMessage(TICKET, (bytes: Uint8Array) => {
      client.auth.token = new TextDecoder().decode(bytes);
    });
    room.onLeave((code, reason) => {
      if (code === MOVED && reason !== undefined) void comeBack(reason);
      else if (BROKEN.includes(code)) {
        follower.lost();
        void comeBack(room.roomId);
      } else follower.ended(`closed with ${code}`);
    });
    follower.joined(room);
  };
  const comeBack = async (id: string): Promise<void> => {
    for (let i = 0; ; i++) {
      try {
        return enter(await client.joinById(id));
      } catch (error) {
        if (i === TRIES) return follower.ended((error as Error).message);
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
      }
    }
  };
  enter(await client.join('world'));
}
