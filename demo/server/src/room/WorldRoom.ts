import { ClientState, Room } from '@colyseus/core';
import type { WebSocketClient } from '@colyseus/ws-transport';
import { Interest } from 'three-scene-index/interest';
import { MOST_SEEN, STEER, VIEW } from '../protocol/limits.js';
import { readSteer } from '../protocol/steer.js';
import { KINDS, PLAYER, World } from '../world/World.js';
import { Cards } from './Cards.js';
import { type RoomOptions, readRoomOptions } from './RoomOptions.js';
import { Sender } from './Sender.js';
import { Session } from './Session.js';
import { TickTimes } from './TickTimes.js';
import { WorldState } from './WorldState.js';

/** Why a connection was closed by the room. */
export const BAD_MESSAGE = 4400;
export const TOO_SLOW = 4408;

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
  #cards!: Cards;
  #sender!: Sender;

  override onCreate(given: Partial<RoomOptions>): void {
    const options = readRoomOptions(given);
    this.options = options;
    this.maxClients = options.mostClients;
    this.maxMessagesPerSecond = options.mostMessages;
    this.world = new World(options);
    this.interest = new Interest(this.world.index);
    this.state = new WorldState({ size: options.size, radius: options.radius });
    this.#cards = new Cards(this.state.cards);
    this.#sender = new Sender(this.world, options.every);
    const { next } = this.world;
    for (let i = 0; i < options.entities; i++) {
      this.addEntity(1 + (i % (KINDS.length - 1)), next() * options.size, next() * options.size);
    }
    this.onMessageBytes(STEER, (client, bytes) => this.#steer(client.sessionId, bytes));
    if (options.rate > 0) this.setTimestep(() => this.step(1 / options.rate), 1000 / options.rate);
  }

  override onJoin(client: WebSocketClient): void {
    const { size } = this.options;
    const player = this.addEntity(PLAYER, Math.random() * size, Math.random() * size);
    this.sessions.set(client.sessionId, new Session(client, player));
  }

  override onLeave(client: WebSocketClient): void {
    const session = this.sessions.get(client.sessionId);
    if (session === undefined) return;
    this.sessions.delete(client.sessionId);
    if (session.observer !== null) this.interest.unobserve(session.observer);
    session.view.dispose();
    this.world.remove(session.player);
    // Who does not answer the closing handshake would hold its connection for half a minute.
    setTimeout(() => client.ref.terminate(), 1000).unref();
  }

  /** Adds an entity with its card, and returns its id. */
  addEntity(kind: number, x: number, z: number): number {
    const id = this.world.add(kind, x, z);
    this.#cards.add(id, `${KINDS[kind]} ${id}`, kind);
    return id;
  }

  /** One tick. */
  step(seconds: number): void {
    const { times, world } = this;
    times.begin();
    const gone = world.step(seconds);
    times.end('move');
    for (const session of this.sessions.values()) this.#observe(session);
    this.interest.tick();
    times.end('interest');
    for (const session of this.sessions.values()) {
      session.hold();
      if (session.observer !== null) this.#cards.tell(session, session.observer);
    }
    for (const id of gone) this.#cards.remove(id);
    this.broadcastPatch();
    times.end('cards');
    for (const session of this.sessions.values()) {
      this.#send(session);
      session.flush();
      times.end('send');
    }
    times.close();
  }

  /** Begins to look for a client once it has confirmed that it joined. */
  #observe(session: Session): void {
    if (session.observer !== null || session.client.state !== ClientState.JOINED) return;
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
    session.client.sendBytes(VIEW, bytes);
    session.needsAll = false;
    session.skipped = 0;
    session.bytes += bytes.length;
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
      this.world.steer(session.player, x * this.options.speed, z * this.options.speed);
    } catch (error) {
      this.expel(session, BAD_MESSAGE, (error as Error).message);
    }
  }
}
