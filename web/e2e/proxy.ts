/** A reverse proxy that shows a server below a path, and nothing else: what asks for another path gets a 404. */
import { createServer, request } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export async function proxied(server: string, prefix: string, strips: boolean) {
  const { hostname, port } = new URL(server);
  const passedOn = ({ method, url, headers }: IncomingMessage) =>
    request({ hostname, port, method, headers, path: strips ? url!.slice(prefix.length) || "/" : url! });
  const ours = (incoming: IncomingMessage): boolean => `${incoming.url}/`.startsWith(`${prefix}/`);

  const proxy = createServer((incoming, answer) => {
    if (!ours(incoming)) {
      answer.writeHead(404).end();
      return;
    }
    const asked = passedOn(incoming).on("response", (got) => {
      answer.writeHead(got.statusCode!, got.headers);
      got.pipe(answer);
    });
    asked.on("error", () => answer.destroy());
    incoming.pipe(asked);
  });
  const open = new Set<Socket>();
  proxy.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  proxy.on("upgrade", (incoming, socket: Socket) => {
    const asked = passedOn(incoming).on("upgrade", (got, there) => {
      const lines = Object.entries(got.headers).map(([name, value]) => `${name}: ${String(value)}`);
      socket.write(["HTTP/1.1 101 Switching Protocols", ...lines, "", ""].join("\r\n"));
      there.pipe(socket).pipe(there);
      for (const end of [there, socket]) end.on("error", () => (there.destroy(), socket.destroy()));
    });
    asked.on("error", () => socket.destroy()).end();
  });

  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => proxy.close(closed));
    },
  };
}
