import { ClientState, CloseCode, Protocol, Room } from '@colyseus/core';
import type { WebSocketClient } from '@colyseus/ws-transport';
import { Interest } from 'three-scene-index/interest';
import { BAD_MESSAGE, MOVED, REPLACED, TOO_SLOW } from '../protocol/closeCodes.js';
import { MOST_SEEN, STEER, VIEW } from '../protocol/limits.js';
import { readSteer } from '../protocol/steer.js';
import type { RegionLink } from '../regions/RegionLink.js';
import { random } from '../world/random.js';
import { KINDS, World } from '../world/World.js';
import { Cards } from './Cards.js';
import { Outbox } from './Outbox.js';
import { Players } from './Players.js';
import { type RoomOptions, readRoomOptions } from './RoomOptions.js';
import { Sender } from './Sender.js';
import { Session } from './Session.js';
import { TickTimes } from './TickTimes.js';
import { WorldState } from './WorldState.js';

/** How a room begins: its options, and for a region of several the others, and what was saved of it. */
export interface RoomSetup extends Partial<RoomOptions> {
  link?: RegionLink | null;
  snapshot?: Uint8Array;
  roomId?: string;
}

/** A world whose clients get what is in their view: cards by Colyseus' state, positions as one message a tick. */
export class WorldRoom extends Room<{ state: WorldState; client: WebSocketClient }> {
  override autoDispose = false;
  // The room sends patches itself, in the tick in which views have changed.
  override patchRate = null;

  options!: RoomOptions;
  world!: World;
  interest!: Interest;
  readonly sessions = new Map<string, Session>();
  readonly times = new TickTimes();
  /** Of positions that were sent. */
  bytes = 0;
  cards!: Cards;
  players!: Players;
  #link: RegionLink | null = null;
  #sender!: Sender;
  readonly #outbox = new Outbox();

  override onCreate({ link = null, snapshot, roomId, ...given }: RoomSetup): void {
    if (roomId !== undefined) this.roomId = roomId;
    const options = readRoomOptions(given);
    this.options = options;
    this.#link = link;
    this.maxClients = options.mostClients;
    this.maxMessagesPerSecond = options.mostMessages;
    this.world = new World({ ...options, margin: options.radius * (1 + options.hysteresis) + 1 }, snapshot);
    this.interest = new Interest(this.world.index);
    this.state = new WorldState({ size: options.size, radius: options.radius });
    this.cards = new Cards(this.state.cards);
    this.players = new Players(this.world, options.graceTicks);
    this.#sender = new Sender(this.world, options.every);
    if (snapshot === undefined) this.#populate();
    this.onMessageBytes(STEER, (client, bytes) => this.#steer(client.sessionId, bytes));
    if (options.rate > 0) this.setTimestep(() => this.step(1 / options.rate), 1000 / options.rate);
  }

  /** All regions draw the same places, and each keeps what lies in its own. */
  #populate(): void {
    const { size, seed, entities } = this.options;
    const next = random(seed);
    for (let entity = 0; entity < entities; entity++) {
      const [x, z] = [next() * size, next() * size];
      if (this.world.owns(x, z)) this.world.add(entity, 1 + (entity % (KINDS.length - 1)), x, z);
    }
  }

  override onJoin(client: WebSocketClient, options: unknown): void {
    const player = this.players.admit(options);
    for (const other of this.sessions.values()) {
      if (other.entity === player.entity) this.expel(other, REPLACED, 'joined elsewhere');
    }
    this.sessions.set(client.sessionId, new Session(client, player.entity));
    client.send('ticket', player);
  }

  override onLeave(client: WebSocketClient, code?: number): void {
    const session = this.sessions.get(client.sessionId);
    if (session === undefined) return;
    this.sessions.delete(client.sessionId);
    if (session.observer !== null) this.interest.unobserve(session.observer);
    session.view.dispose();
    const isReplaced = [...this.sessions.values()].some(({ entity }) => entity === session.entity);
    if (!isReplaced) this.players.leave(session.entity, code === CloseCode.CONSENTED);
    // Who does not answer the closing handshake would hold its connection for half a minute.
    setTimeout(() => client.ref.terminate(), 1000).unref();
  }

  override onDispose(): void {
    this.#link?.close();
  }

  /** One tick. */
  step(seconds: number): void {
    const { times, world, sessions, cards } = this;
    times.begin();
    world.step(seconds, this.#link?.take());
    this.#link?.give(world.region);
    times.end('move');
    for (const session of sessions.values()) this.#observe(session);
    this.interest.tick();
    times.end('interest');
    for (const session of sessions.values()) {
      session.hold();
      if (session.observer !== null) cards.takeBack(session, session.observer);
    }
    for (const id of world.gone) cards.remove(id);
    for (const id of world.appeared) cards.add(id, world.entity[id], world.kind[id], world.level[id]);
    for (const id of world.levelled) cards.get(id).level = world.level[id];
    for (const session of sessions.values()) if (session.observer !== null) cards.handOut(session, session.observer);
    this.broadcastPatch();
    times.end('cards');
    for (const session of sessions.values()) {
      this.#outbox.addHeld(session);
      this.#send(session);
      this.#outbox.flush(session);
      session.release();
      times.end('send');
    }
    this.players.sweep(sessions.values());
    times.close();
  }

  /** Begins to look for a client once it has confirmed that it joined, and its player is here; sends away whose has left. */
  #observe(session: Session): void {
    const { world } = this;
    const isHere = world.region.owns(session.entity);
    if (session.observer !== null) {
      if (!isHere) this.expel(session, MOVED, `region-${this.players.regionOf(session)}`);
      return;
    }
    if (!isHere || session.client.state !== ClientState.JOINED) return;
    session.player = world.region.itemOf(session.entity);
    const { radius, nearRadius, every, hysteresis } = this.options;
    const options = { radius, nearRadius, every, hysteresis, most: MOST_SEEN, item: session.player };
    session.observer = this.interest.observe(options);
    // With a view before it has joined, Colyseus would search all cards for those that it may have.
    (session.client as { view?: unknown }).view = session.view;
  }

  #send(session: Session): void {
    const { skipAbove, mostSkipped, closeAbove } = this.options;
    const { waiting } = session;
    if (session.observer === null || waiting > skipAbove) {
      session.needsAll = true;
      if (++session.skipped > mostSkipped || waiting > closeAbove) this.expel(session, TOO_SLOW, 'too slow');
      return;
    }
    const bytes = this.#sender.write(session);
    this.times.end('encode');
    this.#outbox.addBytes(Protocol.ROOM_DATA_BYTES, VIEW, bytes);
    session.skipped = 0;
    this.bytes += bytes.length;
  }

  /** Closes a connection; the player is gone with the next tick. */
  expel(session: Session, code: number, reason: string): void {
    session.client.leave(code, reason);
    // What waits to be read would keep the closing handshake waiting as well.
    if (code === TOO_SLOW) session.client.ref.terminate();
  }

  #steer(sessionId: string, bytes: unknown): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    try {
      const { x, z } = readSteer(bytes);
      if (session.observer !== null) this.world.steer(session.player, x * this.options.speed, z * this.options.speed);
    } catch (error) {
      this.expel(session, BAD_MESSAGE, (error as Error).message);
    }
  }
}
