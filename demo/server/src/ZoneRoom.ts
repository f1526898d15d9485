import type { Socket } from 'node:net';
import { ClientState, CloseCode, matchMaker, Room, ServerError } from '@colyseus/core';
import { type SchemaType, StateView, schema, t } from '@colyseus/schema';
import type { WebSocketClient } from '@colyseus/ws-transport';
import { Interest, type Observer } from 'three-scene-index/interest';
import { SEAT_SECONDS } from './gate.js';
import type { Settings } from './settings.js';
import { World } from './World.js';
import * as wire from './wire.js';

/** The part of an entity that changes seldom. Clients that have the entity in view get it; places go another way. */
export const Card = schema({ name: t.string() }, 'Card');
export type Card = SchemaType<typeof Card>;

/** A zone as Colyseus keeps it in step; `tick` in milliseconds. A client gets those `cards`, by id, that its view holds. */
export const ZoneState = schema(
  {
    ...{ zone: t.uint8(), zones: t.uint8(), size: t.float32(), radius: t.float32(), overview: t.boolean() },
    ...{ animals: t.uint16(), players: t.uint16(), tick: t.float32(), cards: t.map(Card).view() },
  },
  'ZoneState',
);
export type ZoneState = SchemaType<typeof ZoneState>;

type ZoneOptions = Settings['zone'] & { zone: number };

/** A player that is let in: by `onAuth`, or by the zone on the other side of a door, which alone says `from`. */
interface Auth {
  name: string;
  from?: number;
}

/** A client in the room, until its player is gone. */
interface Session extends Auth {
  client: WebSocketClient;
  /** The id of its player; -1 until the next tick. */
  id: number;
  view: StateView;
  /** From the first tick after the client confirmed that it joined. */
  observer: Observer | null;
  /** Until this tick it does not go through a door: it is on its way through one, or could not. */
  staysUntil: number;
}

const ANIMALS = ['deer', 'wolf', 'fox', 'boar'];
const NAME = /^[\p{L}\p{N} _-]{1,16}$/u;
/** With more bytes than this waiting to be read, a connection is closed. */
const MOST_WAITING = 256 * 1024;
/** In every which tick who looks over a zone is told of it, and all are told how long ticks take. */
const WATCH = 4;
const SECOND = 20;
/** How far inside its border a zone lets out who comes through a door. */
const PORCH = 3 * wire.DOOR_RADIUS;
/** The codes of a connection that broke: a page that was left, no code, no closing at all, and a machine that went offline. */
const BROKEN: unknown[] = [1001, 1005, 1006, CloseCode.MAY_TRY_RECONNECT];

/** The name and id of the room of a zone: there is one for each, in whichever process. */
export const roomOf = (zone: number): string => `zone-${zone}`;

/** Finds the room of a zone, or has it made by the process with the fewest. */
export async function openZone(zone: number): ReturnType<typeof matchMaker.createRoom> {
  const find = () => matchMaker.getRoomById(roomOf(zone));
  const create = () => matchMaker.createRoom(roomOf(zone), {});
  // Somebody else may be faster.
  return (await find()) || create().catch(async (error) => (await find()) || Promise.reject(error));
}

/** A zone: cards by Colyseus' state, places by one message a tick, both only of what a client has in view. */
export class ZoneRoom extends Room<{ state: ZoneState; client: WebSocketClient }> {
  override autoDispose = false;
  // The tick sends patches, once views have changed.
  override patchRate = null;
  override maxMessagesPerSecond = 30;
  override seatReservationTimeout = SEAT_SECONDS;

  world!: World;
  readonly sessions = new Map<string, Session>();
  #options!: ZoneOptions;
  #doors!: ReturnType<typeof wire.doorsOf>;
  #interest!: Interest;
  /** By id, as in the state. */
  readonly #cards: Card[] = [];
  #come: Session[] = [];
  #gone: Session[] = [];
  readonly #watchers = new Set<string>();
  #spent = 0;

  /** Takes a name and nothing else. */
  static override async onAuth(_: string, options: unknown): Promise<Auth> {
    const { name = 'guest', ...rest } = Object(options) as Record<string, unknown>;
    if (typeof name === 'string' && NAME.test(name) && Object.keys(rest).length === 0) return { name };
    throw new ServerError(400, 'the only option is a name: up to 16 letters, digits, spaces, - and _');
  }

  override async onCreate(options: ZoneOptions): Promise<void> {
    const { zone, zones, size, radius, entities, mostClients, overview, rate } = options;
    // A client that finds a room full makes Colyseus ask for another one.
    if (await matchMaker.getRoomById(roomOf(zone))) throw new ServerError(503, 'the zone is full');
    this.roomId = roomOf(zone);
    this.#options = options;
    this.#doors = wire.doorsOf(zone, zones, size);
    this.maxClients = mostClients;
    this.world = new World(size, entities, mostClients);
    this.#interest = new Interest(this.world.index);
    this.state = new ZoneState({ zone, zones, size, radius, animals: entities, players: 0, overview, tick: 0 });
    for (const id of this.world.ids) this.#addCard(id, `${ANIMALS[id % ANIMALS.length]} ${id}`);
    this.onMessageBytes(wire.STEER, (client: WebSocketClient, bytes) => this.#steer(client, bytes));
    if (overview) this.onMessage(wire.OVERVIEW, ({ sessionId }) => void this.#watchers.add(sessionId));
    if (rate > 0) this.setTimestep(() => this.step(1 / rate), 1000 / rate);
  }

  override onJoin(client: WebSocketClient, _: unknown, auth: Auth): void {
    const session = { ...auth, client, id: -1, view: new StateView(), observer: null, staysUntil: 0 };
    this.sessions.set(client.sessionId, session);
    this.#come.push(session);
  }

  /** Keeps the player of a connection that broke, standing where it is. */
  override onDrop(client: WebSocketClient, code?: number): void {
    const session = this.sessions.get(client.sessionId);
    if (session === undefined || !BROKEN.includes(code)) return;
    if (session.id >= 0) this.world.steer(session.id, 0, 0);
    const back = this.allowReconnection(client, this.#options.grace) as PromiseLike<WebSocketClient>;
    back.then(
      (next) => Object.assign(session, { client: next }),
      () => {},
    );
  }

  override onLeave({ sessionId }: { sessionId: string }): void {
    const session = this.sessions.get(sessionId);
    if (session !== undefined) this.#remove(session);
  }

  /** One tick. */
  step(seconds: number): void {
    const begin = performance.now();
    const { world, state } = this;
    const sessions = [...this.sessions.values()];
    const cards = this.#cards;
    const gone = this.#gone.splice(0);
    // Before ids are free again: no card is taken back and handed out in one tick.
    for (const session of this.#come.splice(0)) if (sessions.includes(session)) this.#place(session);
    for (const { id } of gone) world.remove(id);
    world.step(seconds);
    for (const session of sessions) this.#look(session);
    this.#interest.tick();
    for (const { view, observer } of sessions) if (observer) for (const id of observer.left) view.remove(cards[id]);
    for (const { id } of gone) state.cards.delete(`${id}`);
    for (const { view, observer } of sessions) if (observer) for (const id of observer.entered) view.add(cards[id]);
    // All that a client is sent in a tick goes out in one call of the system, which takes longer than anything else here.
    const sockets = sessions.map(({ client }) => (client.ref as { _socket?: Socket })._socket);
    for (const socket of sockets) socket?.cork();
    this.broadcastPatch();
    for (const session of sessions) this.#tell(session);
    for (const socket of sockets) socket?.uncork();
    this.#spent += performance.now() - begin;
    if (world.tick % SECOND !== 0) return;
    Object.assign(state, { players: sessions.length, tick: this.#spent / SECOND });
    this.#spent = 0;
  }

  #addCard(id: number, name: string): void {
    this.#cards[id] = new Card({ name });
    this.state.cards.set(`${id}`, this.#cards[id]);
  }

  /** Puts a player into the world: inside the door through which it came, or anywhere. */
  #place(session: Session): void {
    const { size } = this.#options;
    const door = this.#doors.find(({ to }) => to === session.from);
    const x = door && Math.min(size - PORCH, Math.max(PORCH, door.x));
    const anywhere = (): number => PORCH + Math.random() * (size - 2 * PORCH);
    session.id = this.world.add(x ?? anywhere(), door?.z ?? anywhere());
    this.#addCard(session.id, session.name);
  }

  /** Takes a player out of the world, with the next tick. */
  #remove(session: Session): void {
    const { client, view, observer, id } = session;
    this.sessions.delete(client.sessionId);
    this.#watchers.delete(client.sessionId);
    if (observer !== null) this.#interest.unobserve(observer);
    view.dispose();
    // A client on its way through a door stays for a moment: it must not see what the next owner of the view's bits does.
    delete (client as { view?: StateView }).view;
    if (id >= 0) this.#gone.push(session);
  }

  /** Begins to look for a client once it has confirmed that it joined; sends it through the door in which it stands. */
  #look(session: Session): void {
    const { client, id, staysUntil } = session;
    if (client.state !== ClientState.JOINED) return;
    if (session.observer === null) {
      const { radius, nearRadius, every, hysteresis } = this.#options;
      session.observer = this.#interest.observe({ item: id, most: 255, radius, nearRadius, every, hysteresis });
      // With a view before it has joined, Colyseus would search all cards for those that it may have.
      (client as { view?: StateView }).view = session.view;
    }
    const { places, tick } = this.world;
    if (tick < staysUntil) return;
    const [px, pz] = places.subarray(2 * id);
    const door = this.#doors.find(({ x, z }) => Math.hypot(px - x, pz - z) <= wire.DOOR_RADIUS);
    if (door !== undefined) void this.#goThrough(session, door.to);
  }

  /** Reserves a seat in another zone, and tells the client to take it. Then its player is not here any more. */
  async #goThrough(session: Session, to: number): Promise<void> {
    const { client, name } = session;
    session.staysUntil = Number.POSITIVE_INFINITY;
    try {
      const seat = await matchMaker.reserveSeatFor(await openZone(to), {}, { name, from: this.#options.zone });
      // A client whose connection broke comes back here, not there.
      if (client.state !== ClientState.JOINED) throw new Error('the client is gone');
      client.send(wire.DOOR, seat);
      this.#remove(session);
      this.clock.setTimeout(() => client.leave(CloseCode.CONSENTED), 1000 * SEAT_SECONDS);
    } catch {
      session.staysUntil = this.world.tick + SECOND;
    }
  }

  /** Sends a client where all is that is due, its own player first; one that looks over the zone, where everything is. */
  #tell({ client, id, observer }: Session): void {
    if (observer === null || client.state !== ClientState.JOINED) return;
    if (client.ref.bufferedAmount > MOST_WAITING) client.ref.terminate();
    const { tick, ids, places } = this.world;
    const { size } = this.#options;
    client.sendBytes(wire.PLACES, wire.writePlaces(tick, id, observer.due, places, size));
    if (tick % WATCH !== 0 || !this.#watchers.has(client.sessionId)) return;
    client.sendBytes(wire.OVERVIEW, wire.writePlaces(tick, id, { ids, length: ids.length }, places, size));
  }

  #steer(client: WebSocketClient, bytes: unknown): void {
    const way = wire.readSteer(bytes);
    const { id } = this.sessions.get(client.sessionId) ?? { id: -1 };
    if (way === null) client.leave(CloseCode.WITH_ERROR, 'that is no direction');
    else if (id >= 0) this.world.steer(id, way[0] * this.#options.speed, way[1] * this.#options.speed);
  }
}
