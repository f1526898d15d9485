import { ClientState, Room } from '@colyseus/core';
import { type SchemaType, schema, t } from '@colyseus/schema';
import type { WebSocketClient } from '@colyseus/ws-transport';
import { Interest } from 'three-scene-index/interest';
import { SEAT_SECONDS } from '../Gate.js';
import { BAD_MESSAGE } from '../protocol/closeCodes.js';
import { MOST_SEEN, STEER } from '../protocol/limits.js';
import { readSteer } from '../protocol/steer.js';
import { type RoomOptions, readRoomOptions } from '../room/RoomOptions.js';
import { Session } from '../room/Session.js';
import { TickTimes } from '../room/TickTimes.js';
import { KINDS, PLAYER, World } from '../world/World.js';

const Entity = schema(
  { name: t.string(), kind: t.uint8(), level: t.uint8(), x: t.float32(), z: t.float32() },
  'Entity',
);
type Entity = SchemaType<typeof Entity>;
const ViewsState = schema({ entities: t.map(Entity).view() }, 'ViewsState');
type ViewsState = SchemaType<typeof ViewsState>;

/**
 * The same world with positions in the schema and plain views, to compare with: who sees whom comes from the same
 * interest, bytes from Colyseus alone.
 */
export class ViewsRoom extends Room<{ state: ViewsState; client: WebSocketClient }> {
  override autoDispose = false;
  override patchRate = null;
  override seatReservationTimeout = SEAT_SECONDS;

  options!: RoomOptions;
  world!: World;
  interest!: Interest;
  readonly sessions = new Map<string, Session>();
  readonly times = new TickTimes();
  /** Of all that was sent after the first state. */
  bytes = 0;
  readonly #entities: Entity[] = [];
  #made = 0;
  readonly #outgoing: { session: Session; bytes: Uint8Array }[] = [];

  override onCreate({ roomId: _, link: __, ...given }: Partial<RoomOptions> & { roomId?: string; link?: null }): void {
    const options = readRoomOptions(given);
    this.options = options;
    this.maxClients = options.mostClients;
    this.maxMessagesPerSecond = options.mostMessages;
    this.world = new World(options);
    this.interest = new Interest(this.world.index);
    this.state = new ViewsState();
    for (let entity = 0; entity < options.entities; entity++) {
      this.#addEntity(entity, 1 + (entity % (KINDS.length - 1)));
    }
    this.onMessageBytes(STEER, (client, bytes) => this.#steer(client.sessionId, bytes));
    if (options.rate > 0) this.setTimestep(() => this.step(1 / options.rate), 1000 / options.rate);
  }

  override onJoin(client: WebSocketClient): void {
    const player = this.#addEntity(this.#made, PLAYER);
    const session = new Session(client, player);
    session.player = player;
    this.sessions.set(client.sessionId, session);
    (client as { view?: unknown }).view = session.view;
  }

  override onLeave(client: WebSocketClient): void {
    const session = this.sessions.get(client.sessionId);
    if (session === undefined) return;
    this.sessions.delete(client.sessionId);
    if (session.observer !== null) this.interest.unobserve(session.observer);
    session.view.dispose();
    this.world.remove(session.player);
  }

  step(seconds: number): void {
    const { times, world } = this;
    times.begin();
    world.step(seconds);
    times.end('move');
    for (const session of this.sessions.values()) this.#observe(session);
    this.interest.tick();
    times.end('interest');
    for (const { observer, view } of this.sessions.values()) {
      if (observer === null) continue;
      for (const id of observer.left) view.remove(this.#entities[id]);
      for (const id of observer.entered) view.add(this.#entities[id]);
    }
    for (const id of world.gone) this.state.entities.delete(String(id));
    times.end('cards');
    for (const id of world.ids) {
      this.#entities[id].x = world.x[id];
      this.#entities[id].z = world.z[id];
    }
    this.broadcastPatch();
    times.end('encode');
    for (const { session, bytes } of this.#outgoing) {
      session.client.ref.send(bytes);
      this.bytes += bytes.length;
    }
    this.#outgoing.length = 0;
    times.end('send');
    times.close();
  }

  #observe(session: Session): void {
    const { client } = session;
    if (session.observer !== null || client.state !== ClientState.JOINED) return;
    const { radius, nearRadius, every, hysteresis } = this.options;
    session.observer = this.interest.observe({
      ...{ radius, nearRadius, every, hysteresis, most: MOST_SEEN, item: session.player },
    });
    // Patches are encoded and sent in one go; this tells the two apart.
    client.raw = (bytes) => this.#outgoing.push({ session, bytes });
  }

  #steer(sessionId: string, bytes: unknown): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    try {
      const { x, z } = readSteer(bytes);
      this.world.steer(session.player, x * this.options.speed, z * this.options.speed);
    } catch (error) {
      session.client.leave(BAD_MESSAGE, (error as Error).message);
    }
  }

  #addEntity(entity: number, kind: number): number {
    const { next } = this.world;
    const [x, z] = [next() * this.options.size, next() * this.options.size];
    const id = this.world.add(entity, kind, x, z);
    this.#made = entity + 1;
    this.#entities[id] = new Entity({ name: `${KINDS[kind]} ${entity}`, kind, level: 1, x, z });
    this.state.entities.set(String(id), this.#entities[id]);
    return id;
  }
}
