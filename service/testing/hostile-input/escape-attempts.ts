// What a document may try in order to reach the network or a file, and somebody who notices.
import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';

export interface Watch {
  port: number;
  /** The first line of each connection, and of each datagram. */
  heard: string[];
  close(): Promise<void>;
}

/** Listens on one port for connections and for datagrams, whatever the protocol. */
export async function watchNetwork(): Promise<Watch> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    const at = heard.push('a connection') - 1;
    socket.on('error', () => {});
    socket.once('data', (data) => {
      heard[at] = data.toString('latin1').split('\r\n')[0] ?? '';
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  });
  const udp = createSocket('udp4', (data) => heard.push(`${data.length} bytes`));
  await new Promise<void>((ready) => tcp.listen(0, '127.0.0.1', ready));
  const address = tcp.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await new Promise<void>((ready) => udp.bind(port, '127.0.0.1', ready));
  return {
    port,
    heard,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([
        new Promise((done) => tcp.close(done)),
        new Promise<void>((done) => udp.close(done)),
      ]);
    },
  };
}

const script = (code: string): string => `<p>page</p><script>${code}</script>`;
const worker = (code: string): string =>
  script(`new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'text/javascript' })))`);

/** By what is tried; `host` is where nothing must arrive. */
export const NETWORK_ATTEMPTS: Readonly<Record<string, (host: string) => string>> = {
  'an image': (host) => `<img src="http://${host}/x.png">`,
  'an image by its set of sources': (host) => `<img srcset="http://${host}/x.png 1x">`,
  'a lazy image': (host) =>
    `<div style="height:9000px"></div><img loading="lazy" src="http://${host}/x.png">`,
  'an input that is an image': (host) => `<input type="image" src="http://${host}/x.png">`,
  'a style sheet': (host) => `<link rel="stylesheet" href="http://${host}/x.css">`,
  'a style sheet for print': (host) => `<link rel="stylesheet" media="print" href="http://${host}/x.css">`,
  'an import in a style sheet': (host) => `<style>@import url("http://${host}/x.css");</style>`,
  'a background': (host) => `<body style="background:url(http://${host}/x.png)">page`,
  'a list image': (host) => `<ul style="list-style-image:url(http://${host}/x.png)"><li>one</ul>`,
  'generated content': (host) => `<style>p::after{content:url(http://${host}/x.png)}</style><p>page`,
  'a font': (host) =>
    `<style>@font-face{font-family:F;src:url(http://${host}/x.woff2)}p{font-family:F}</style><p>page`,
  'a script': (host) => `<script src="http://${host}/x.js"></script>`,
  'a module': (host) => `<script type="module">import 'http://${host}/x.js'</script>`,
  'a dynamic import': (host) => script(`import('http://${host}/x.js').catch(() => {})`),
  'an import map': (host) =>
    `<script type="importmap">{"imports":{"x":"http://${host}/x.js"}}</script><script type="module">import 'x'</script>`,
  'a frame': (host) => `<iframe src="http://${host}/"></iframe>`,
  'a frame set': (host) => `<frameset cols="*"><frame src="http://${host}/"></frameset>`,
  'an object': (host) => `<object data="http://${host}/x.pdf"></object>`,
  'an embedded file': (host) => `<embed src="http://${host}/x.svg">`,
  'a video and its poster': (host) =>
    `<video autoplay poster="http://${host}/x.png" src="http://${host}/x.mp4"><track default src="http://${host}/x.vtt"></video>`,
  'a sound': (host) => `<audio autoplay src="http://${host}/x.mp3"></audio>`,
  'an image in a drawing': (host) => `<svg><image href="http://${host}/x.png" width="9" height="9"/></svg>`,
  'a drawing used by another': (host) => `<svg><use href="http://${host}/x.svg#a"/></svg>`,
  'a filter image of a drawing': (host) =>
    `<svg><filter id="f"><feImage href="http://${host}/x.png"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>`,
  'a drawing in an address': (host) =>
    `<img src="data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"><image href="http://${host}/x.png"/></svg>`)}">`,
  'a frame with a document in its attribute': (host) =>
    `<iframe srcdoc="<img src='http://${host}/x.png'>"></iframe>`,
  'a frame with a document in its address': (host) =>
    `<iframe src="data:text/html,<img src='http://${host}/x.png'><script>fetch('http://${host}/y')</script>"></iframe>`,
  'another base': (host) =>
    `<base href="http://${host}/"><img src="x.png"><link rel="stylesheet" href="x.css">`,
  prefetch: (host) => `<link rel="prefetch" href="http://${host}/x">`,
  preload: (host) => `<link rel="preload" as="image" href="http://${host}/x.png">`,
  'a preloaded module': (host) => `<link rel="modulepreload" href="http://${host}/x.js">`,
  prerender: (host) => `<link rel="prerender" href="http://${host}/">`,
  preconnect: (host) => `<link rel="preconnect" href="http://${host}/">`,
  'DNS prefetch': (host) => `<link rel="dns-prefetch" href="//${host}/">`,
  'speculation rules': (host) =>
    `<script type="speculationrules">{"prefetch":[{"urls":["http://${host}/"]}],"prerender":[{"urls":["http://${host}/p"]}]}</script>`,
  'an icon and a manifest': (host) =>
    `<link rel="icon" href="http://${host}/x.ico"><link rel="manifest" href="http://${host}/x.json">`,
  'a refresh': (host) => `<meta http-equiv="refresh" content="0;url=http://${host}/">page`,
  'a policy that reports': (host) =>
    `<meta http-equiv="Content-Security-Policy" content="img-src 'none'; report-uri http://${host}/r"><img src="x.png">`,
  'going elsewhere': (host) => script(`location = 'http://${host}/'`),
  'going elsewhere when it is printed': (host) =>
    script(
      `addEventListener('beforeprint', () => { location = 'http://${host}/'; fetch('http://${host}/f') })`,
    ),
  'another window': (host) => script(`open('http://${host}/')`),
  'a form that sends itself': (host) =>
    `<form method="post" action="http://${host}/"><input name="a"></form><script>document.forms[0].submit()</script>`,
  'a link that pings': (host) => `<a id="a" href="#x" ping="http://${host}/">x</a><script>a.click()</script>`,
  fetch: (host) => script(`fetch('http://${host}/', { mode: 'no-cors' }).catch(() => {})`),
  'fetch that outlives the page': (host) =>
    script(`fetch('http://${host}/', { method: 'POST', keepalive: true, mode: 'no-cors', body: 'x' })`),
  XMLHttpRequest: (host) =>
    script(
      `const x = new XMLHttpRequest(); x.open('GET', 'http://${host}/', false); try { x.send() } catch {}`,
    ),
  'a beacon': (host) => script(`navigator.sendBeacon('http://${host}/', 'x')`),
  'a beacon when it ends': (host) =>
    script(`addEventListener('pagehide', () => navigator.sendBeacon('http://${host}/', 'x'))`),
  EventSource: (host) => script(`new EventSource('http://${host}/')`),
  WebSocket: (host) => script(`new WebSocket('ws://${host}/')`),
  WebTransport: (host) => script(`try { new WebTransport('https://${host}/') } catch {}`),
  WebRTC: (host) =>
    script(`(async () => { const c = new RTCPeerConnection({ iceServers: [{ urls: ['stun:${host}', 'stun:${host}?transport=udp', 'turn:${host}?transport=tcp', 'turn:${host}?transport=udp'], username: 'a', credential: 'b' }] });
      c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer()) })()`),
  'a worker that fetches': (host) => worker(`fetch('http://${host}/', { mode: 'no-cors' }).catch(() => {})`),
  'a worker that imports': (host) => worker(`importScripts('http://${host}/x.js')`),
  'a worker with a WebSocket': (host) => worker(`new WebSocket('ws://${host}/')`),
  'a shared worker': (host) => script(`new SharedWorker('data:text/javascript,fetch("http://${host}/")')`),
  'a service worker': (host) =>
    script(`navigator.serviceWorker?.register('http://${host}/sw.js').catch(() => {})`),
  'a worklet': (host) => script(`CSS.paintWorklet?.addModule('http://${host}/x.js').catch(() => {})`),
};

/** Files that say something when they are read; `file` gives the address of one by its kind. */
export const FILE_ATTEMPTS: Readonly<Record<string, (file: (kind: string) => string) => string>> = {
  'a frame': (file) => `<iframe src="${file('html')}"></iframe>`,
  'an object': (file) => `<object data="${file('html')}"></object><embed src="${file('html')}">`,
  'a style sheet': (file) =>
    `<link rel="stylesheet" href="${file('css')}"><style>@import url("${file('css')}");</style>`,
  'a script': (file) => `<p>page</p><script src="${file('js')}"></script>`,
  'an image': (file) =>
    `<img src="${file('svg')}"><svg><image href="${file('svg')}" width="200" height="50"/></svg>`,
  fetch: (file) =>
    script(
      `fetch('${file('html')}').then((r) => r.text()).then((t) => document.body.append(t)).catch(() => {})`,
    ),
  XMLHttpRequest: (file) =>
    script(
      `const x = new XMLHttpRequest(); x.open('GET', '${file('html')}', false); try { x.send(); document.body.append(x.responseText) } catch {}`,
    ),
  'going there': (file) => script(`location = '${file('html')}'`),
  'a refresh': (file) => `<meta http-equiv="refresh" content="0;url=${file('html')}">page`,
  'a source view': (file) => `<iframe src="view-source:${file('html')}"></iframe>`,
  'another window': (file) =>
    script(
      `const w = open('${file('html')}'); setTimeout(() => { try { document.body.append(w.document.body.textContent) } catch {} }, 100)`,
    ),
  'a worker': (file) => worker(`importScripts('${file('js')}')`),
};
