import { ClientState, Room } from '@colyseus/core';
import { type SchemaType, schema, t } from '@colyseus/schema';
import type { WebSocketClient } from '@colyseus/ws-transport';
import { Interest } from 'three-scene-index/interest';
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

  options!: RoomOptions;
  world!: World;
  interest!: Interest;
  readonly sessions = new Map<string, Session>();
  readonly times = new TickTimes();
  readonly #entities: Entity[] = [];
  readonly #outgoing: { session: Session; bytes: Uint8Array }[] = [];

  override onCreate(given: Partial<RoomOptions>): void {
    const options = readRoomOptions(given);
    this.options = options;
    this.maxClients = options.mostClients;
    this.world = new World(options);
    this.interest = new Interest(this.world.index);
    this.state = new ViewsState();
    const { next } = this.world;
    for (let i = 0; i < options.entities; i++) {
      this.#addEntity(1 + (i % (KINDS.length - 1)), next() * options.size, next() * options.size);
    }
    this.onMessageBytes(STEER, (client, bytes) => this.#steer(client.sessionId, bytes));
    if (options.rate > 0) this.setTimestep(() => this.step(1 / options.rate), 1000 / options.rate);
  }

  override onJoin(client: WebSocketClient): void {
    const { size } = this.options;
    const player = this.#addEntity(PLAYER, Math.random() * size, Math.random() * size);
    const session = new Session(client, player);
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
    const gone = world.step(seconds);
    times.end('move');
    for (const session of this.sessions.values()) this.#observe(session);
    this.interest.tick();
    times.end('interest');
    for (const { observer, view } of this.sessions.values()) {
      if (observer === null) continue;
      for (const id of observer.left) view.remove(this.#entities[id]);
      for (const id of observer.entered) view.add(this.#entities[id]);
    }
    for (const id of gone) this.state.entities.delete(String(id));
    times.end('cards');
    for (const id of world.ids) {
      this.#entities[id].x = world.x[id];
      this.#entities[id].z = world.z[id];
    }
    this.broadcastPatch();
    times.end('encode');
    for (const { session, bytes } of this.#outgoing) session.client.ref.send(bytes);
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
    const { x, z } = readSteer(bytes);
    this.world.steer(session.player, x * this.options.speed, z * this.options.speed);
  }

  #addEntity(kind: number, x: number, z: number): number {
    const id = this.world.add(kind, x, z);
    const entity = new Entity({ name: `${KINDS[kind]} ${id}`, kind, level: 1, x, z });
    this.#entities[id] = entity;
    this.state.entities.set(String(id), entity);
    return id;
  }
}
