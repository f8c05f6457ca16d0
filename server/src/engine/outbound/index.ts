/** The door: the only way to addresses that users wrote. It speaks http(s) and ws(s) and refuses private networks unless the operator allows them. */
import { Agent } from 'undici'
import { ConnectionPool } from './connection-pool.ts'
import type { Door, PostDoor } from './door.ts'
import { fetchFollowingRedirects } from './fetch.ts'
import { type DoorOptions, guardedConnect } from './guard.ts'
import { postOnce } from './post.ts'
import type { Lookup } from './resolve.ts'
import { makeSender } from './sender.ts'
import { openWebSocket } from './web-socket.ts'

export type { Lookup }
export type OpenDoor = Door & PostDoor & { close(): Promise<void> }

const connectionsPerOrigin = 64

/** It ignores proxies of the environment: behind a proxy, the guard would check only the proxy's address. */
export function openDoor(options: DoorOptions): OpenDoor {
  const connect = guardedConnect(options)
  // One deadline covers a whole fetch, so undici's own timeouts are off.
  const agent = new Agent({ connect, connections: connectionsPerOrigin, headersTimeout: 0, bodyTimeout: 0 })
  const pool = new ConnectionPool(connect)
  const sender = makeSender({ allowPrivateNetworks: options.allowPrivateNetworks })
  return {
    fetch: (url, request) => fetchFollowingRedirects(agent, url, request),
    post: (url, request) => postOnce(pool, url, request),
    enqueue: sender.enqueue,
    webSocket: (url, options) => openWebSocket(connect, url, options),
    async close() {
      pool.close()
      await sender.close()
      await agent.destroy()
    },
  }
}
