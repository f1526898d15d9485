import { ClientState, CloseCode, ErrorCode, Protocol, Room, ServerError } from '@colyseus/core';
import type { WebSocketClient } from '@colyseus/ws-transport';
import { Interest } from 'three-scene-index/interest';
import { SEAT_SECONDS } from '../Gate.js';
import { BAD_MESSAGE, MOVED, REPLACED, TOO_SLOW } from '../protocol/closeCodes.js';
import { MOST_SEEN, STEER, TICKET, VIEW } from '../protocol/limits.js';
import { readSteer } from '../protocol/steer.js';
import { readTicket, writeTicket } from '../protocol/ticket.js';
import type { RegionLink } from '../regions/RegionLink.js';
import type { World } from '../world/World.js';
import { Cards } from './Cards.js';
import { Outbox } from './Outbox.js';
import { openWorld, populate } from './openWorld.js';
import { Players } from './Players.js';
import { type RoomOptions, readRoomOptions } from './RoomOptions.js';
import { Sender } from './Sender.js';
import { Session } from './Session.js';
import { TickTimes } from './TickTimes.js';
import { WorldState } from './WorldState.js';

/** How a room begins: its options, and for a region in Redis the link that claimed it. */
export interface RoomSetup extends Partial<RoomOptions> {
  link?: RegionLink | null;
  roomId?: string;
}

/** What a client was let in with. */
interface Auth {
  ticket: string | null;
}

/** A world whose clients get what is in their view: cards by Colyseus' state, positions as one message a tick. */
export class WorldRoom extends Room<{ state: WorldState; client: WebSocketClient }> {
  override autoDispose = false;
  // The room sends patches itself, in the tick in which views have changed.
  override patchRate = null;
  override seatReservationTimeout = SEAT_SECONDS;

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
  #isEnding = false;
  #sender!: Sender;
  readonly #outbox = new Outbox();

  override onCreate({ link = null, roomId, ...given }: RoomSetup): void {
    if (roomId !== undefined) this.roomId = roomId;
    const options = readRoomOptions(given);
    this.options = options;
    this.#link = link;
    this.maxClients = options.mostClients;
    this.maxMessagesPerSecond = options.mostMessages;
    this.world = openWorld(options, link?.saved.token, link?.saved);
    if (link === null) populate(this.world, options);
    this.interest = new Interest(this.world.index);
    this.state = new WorldState({ size: options.size, radius: options.radius });
    this.cards = new Cards(this.state.cards);
    this.players = new Players(this.world, options.graceTicks);
    this.#sender = new Sender(this.world, options.every);
    this.onMessageBytes(STEER, (client, bytes) => this.#steer(client.sessionId, bytes));
    if (options.rate > 0) this.setTimestep(() => this.step(1 / options.rate), 1000 / options.rate);
  }

  /** Whether another process has claimed this region. */
  get isReplaced(): boolean {
    return this.world.region.isReplaced || this.#link?.isReplaced === true;
  }

  /** Stops the world and saves it. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const isStored = await this.#link?.save(this.world.region);
    if (isStored === false)
      console.warn('the last snapshot is not stored: Redis is gone, or another process runs this region');
  }

  /** Refuses malformed tickets when a seat is requested, which may happen in another process than the room's. */
  static override async onAuth(token: string | undefined): Promise<Auth> {
    if (token === undefined || token === '') return { ticket: null };
    if (readTicket(token) === null) throw refused();
    return { ticket: token };
  }

  /** Returns a client to its player by its ticket, or makes a new player for a client without one. */
  override onJoin(client: WebSocketClient, _: unknown, auth: Auth): void {
    const ticket = auth.ticket === null ? null : readTicket(auth.ticket);
    if (ticket !== null && !this.players.has(ticket)) throw refused();
    const player = ticket ?? this.players.add();
    for (const other of this.sessions.values()) {
      if (other.entity === player.entity) this.expel(other, REPLACED, 'joined elsewhere');
    }
    this.sessions.set(client.sessionId, new Session(client, player.entity));
    client.sendBytes(TICKET, new TextEncoder().encode(writeTicket(player)));
  }

  /** Keeps a player whose connection broke, so that its client can return; removes the others. */
  override onLeave(client: WebSocketClient, code?: number): void {
    const session = this.sessions.get(client.sessionId);
    if (session === undefined) return;
    this.sessions.delete(client.sessionId);
    if (session.observer !== null) this.interest.unobserve(session.observer);
    session.view.dispose();
    const isReplaced = [...this.sessions.values()].some(({ entity }) => entity === session.entity);
    if (!isReplaced && !(isBroken(code) && session.isWelcome)) this.players.remove(session.entity);
    // Who does not answer the closing handshake would hold its connection for half a minute.
    setTimeout(() => client.ref.terminate(), 1000).unref();
  }

  /** One tick. */
  step(seconds: number): void {
    const { times, world, sessions, cards } = this;
    if (this.#isEnding) return;
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
    for (const session of sessions.values()) this.#encode(session);
    times.end('encode');
    for (const session of sessions.values()) session.release();
    times.end('send');
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

  /** Puts together what a client is sent in this tick. */
  #encode(session: Session): void {
    this.#outbox.addHeld(session);
    this.#encodePositions(session);
    session.frames = this.#outbox.take();
  }

  #encodePositions(session: Session): void {
    const { skipAbove, mostSkipped, closeAbove } = this.options;
    const { waiting } = session;
    if (session.observer === null || waiting > skipAbove) {
      session.needsAll = true;
      if (++session.skipped > mostSkipped || waiting > closeAbove) this.expel(session, TOO_SLOW, 'too slow');
      return;
    }
    const bytes = this.#sender.write(session);
    this.#outbox.addBytes(Protocol.ROOM_DATA_BYTES, VIEW, bytes);
    session.skipped = 0;
    this.bytes += bytes.length;
  }

  /** Closes a connection; the player of who misbehaves is gone with the next tick. */
  expel(session: Session, code: number, reason: string): void {
    session.isWelcome = code === MOVED || code === REPLACED;
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

/** Whether a connection broke, or was closed by a page that was left, at a border, or by a server that shuts down. */
function isBroken(code: number | undefined): boolean {
  return code === undefined || [1001, 1005, 1006, MOVED, CloseCode.SERVER_SHUTDOWN].includes(code);
}

/** The same error for every bad ticket, so that it does not reveal which players exist. */
function refused(): ServerError {
  return new ServerError(ErrorCode.AUTH_FAILED, 'the ticket is not valid');
}
