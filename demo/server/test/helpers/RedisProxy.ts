import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './Processes.js';

interface Connection {
  client: Socket;
  redis: Socket;
  isFrozen: boolean;
}

/** A Redis that can be cut off in ways in which cables are: nobody is told. */
export class RedisProxy {
  readonly port: number;
  /** Messages of others are lost; answers still come. */
  isMute = false;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();

  private constructor(server: Server, port: number, redisPort: number) {
    this.#server = server;
    this.port = port;
    server.on('connection', (client) =>
      this.#join({ client, redis: connect(redisPort, '127.0.0.1'), isFrozen: false }),
    );
  }

  static async start(redisPort: number): Promise<RedisProxy> {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new RedisProxy(server, port, redisPort);
  }

  /** All connections that there are go dead without a word; new ones work. Returns how many. */
  freeze(): number {
    for (const connection of this.#connections) connection.isFrozen = true;
    return this.#connections.size;
  }

  close(): void {
    this.#server.close();
    for (const { client, redis } of this.#connections) {
      client.destroy();
      redis.destroy();
    }
  }

  #join(connection: Connection): void {
    const { client, redis } = connection;
    this.#connections.add(connection);
    for (const socket of [client, redis]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        if (!connection.isFrozen) for (const other of [client, redis]) other.destroy();
      });
    }
    client.on('data', (data) => {
      if (!connection.isFrozen) redis.write(data);
    });
    redis.on('data', (data) => {
      const isMessage = data.indexOf('\r\nmessage\r\n') >= 0 || !/^[*+:$-]/.test(data.toString('latin1', 0, 1));
      if (!(connection.isFrozen || (this.isMute && isMessage))) client.write(data);
    });
  }
}
