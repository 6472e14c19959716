// Pages of the web may make a browser call a service that listens on this machine alone: their name is made to lead to
// 127.0.0.1 (DNS rebinding). The browser then still says that name in Host, and is refused by it. A service that listens
// for others has names we cannot know.
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { Problem } from '../../contract/problems.ts';

const ANY = '*';
const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])\.?$/;

/** Without the port. */
const nameIn = (host: string): string => host.toLowerCase().replace(/:\d*$/, '');

export const isLoopback = (host: string): boolean =>
  host === '::1' || LOOPBACK.test(host.toLowerCase()) || /^::ffff:127\./i.test(host);

export function checkHostNames(app: FastifyInstance, { host, baseUrl, serverNames }: Config): void {
  if (!isLoopback(host) || serverNames.includes(ANY)) return;
  const known = new Set([host.toLowerCase(), ...serverNames]);
  if (baseUrl !== null) known.add(nameIn(new URL(baseUrl).host));
  app.addHook('onRequest', (request, _reply, done) => {
    const given = request.headers.host;
    if (given === undefined || given === '') return done();
    const name = nameIn(given);
    if (LOOPBACK.test(name) || known.has(name)) return done();
    done(
      new Problem('forbidden', 'The service is not known by the name in the Host header.', {
        hint: 'Call it as localhost, or have the operator name it in BINDERY_BASE_URL or BINDERY_SERVER_NAMES.',
      }),
    );
  });
}
