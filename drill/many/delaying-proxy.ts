// Stands before a server: answers come later, or the server seems to be away.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export class DelayingProxy {
  delayMs = 0;
  #isAway = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: URL) {
    this.#server = createServer((caller) => {
      if (this.#isAway) {
        caller.destroy();
        return;
      }
      const server = connect(Number(target.port), target.hostname);
      this.#follow(caller, server);
      this.#follow(server, caller);
      caller.on('data', (bytes) => void this.#pass(caller, server, bytes));
      server.pipe(caller);
    });
  }

  static async before(endpoint: string): Promise<DelayingProxy> {
    const proxy = new DelayingProxy(new URL(endpoint));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Connections break, and new ones are refused. */
  away(): void {
    this.#isAway = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  back(): void {
    this.#isAway = false;
  }

  close(): void {
    this.away();
    this.#server.close();
  }

  #follow(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }

  /** Of a request the first bytes are what waits; those after them follow at once. */
  async #pass(from: Socket, to: Socket, bytes: Buffer): Promise<void> {
    if (this.delayMs > 0) {
      from.pause();
      await sleep(this.delayMs);
      from.resume();
    }
    to.write(bytes);
  }
}
