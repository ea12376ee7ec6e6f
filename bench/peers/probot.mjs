/** Probot's webhook server with one handler: the peer of the receiver's bench. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { Probot, Server } from 'probot';

const path = '/api/github/webhooks';

/** Probot takes 0 for no port at all. */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Listens with this secret; the headers are those of a delivery from the platform that Probot serves. */
export async function listen(secret) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const settings = { appId: 1, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }), secret };
  const log = pino({ level: 'silent' });
  const server = new Server({
    Probot: Probot.defaults({ ...settings, log }),
    log,
    port: await freePort(),
    host: '127.0.0.1',
    webhookPath: path,
  });
  await server.load((app) => app.on('push', () => undefined));
  const http = await server.start();
  let deliveries = 0;
  return {
    port: http.address().port,
    path,
    headers: (body) => ({
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': `delivery-${deliveries++}`,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    }),
    close: () => server.stop(),
  };
}
