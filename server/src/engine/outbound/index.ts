/** The one door to addresses that users wrote: http(s) and ws(s), to the public internet unless the operator says more. */
import { Agent } from 'undici'
import type { Door, PostDoor } from './door.ts'
import { fetchThrough } from './exchange.ts'
import { type DoorOptions, guardedConnect } from './guard.ts'
import { Lines } from './lines.ts'
import { postThrough } from './post.ts'
import type { Lookup } from './resolve.ts'
import { makeSender } from './sender.ts'
import { openWebSocket } from './web-socket.ts'

export type { Lookup }
export type OpenDoor = Door & PostDoor & { close(): Promise<void> }

const connectionsPerOrigin = 64

/** Proxies of the environment are never asked: behind one, the checks would see the proxy's address alone. */
export function openDoor(options: DoorOptions): OpenDoor {
  const connect = guardedConnect(options)
  // The deadline of an exchange covers all of it, so undici's own clocks for its parts are off.
  const agent = new Agent({ connect, connections: connectionsPerOrigin, headersTimeout: 0, bodyTimeout: 0 })
  const lines = new Lines(connect)
  const sender = makeSender({ allowPrivateNetworks: options.allowPrivateNetworks })
  return {
    fetch: (url, request) => fetchThrough(agent, url, request),
    post: (url, request) => postThrough(lines, url, request),
    enqueue: sender.enqueue,
    webSocket: (url, options) => openWebSocket(connect, url, options),
    async close() {
      lines.close()
      await sender.close()
      await agent.destroy()
    },
  }
}
