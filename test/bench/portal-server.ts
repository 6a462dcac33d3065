// A gateway with the portal in a process of its own, for row P1: a market, a library and the articles that come along. Writes where it is.
import { openPortalScene } from '../web/portal-scene.ts';

const { url, consoleUrl, gateway } = await openPortalScene();
process.stdout.write(`${JSON.stringify({ url, consoleUrl, token: gateway.tokens.owner })}\n`);
