/** The door: the only way to addresses that users wrote. It speaks http(s) and ws(s) and refuses private networks unless the operator allows them. */

import { Agent } from 'undici'
import {
  type Connect,
  guardedConnector,
  isPublicAddress,
  type Lookup,
  resolveAnyName,
  resolvePublicName,
} from './connect.ts'
import type { Door, PostDoor } from './door.ts'
import { fetchFollowingRedirects } from './fetch.ts'
import { postOnce } from './post.ts'
import { openWebSocket } from './web-socket.ts'

export type { Lookup }
export type OpenDoor = Door & PostDoor & { close(): Promise<void> }

const connectionsPerOrigin = 64

/** It ignores proxies of the environment: behind a proxy, the guard would check only the proxy's address. */
export function openDoor(options: DoorOptions): OpenDoor {
  const connect = guardedConnect(options)
  // One deadline covers a whole call, so undici's own timeouts are off.
  const agent = new Agent({ connect, connections: connectionsPerOrigin, headersTimeout: 0, bodyTimeout: 0 })
  return {
    fetch: (url, request) => fetchFollowingRedirects(agent, url, request),
    post: (url, request) => postOnce(agent, url, request),
    webSocket: (url, options) => openWebSocket(connect, url, options),
    close: () => agent.destroy(),
  }
}

type DoorOptions = { allowPrivateNetworks: boolean; lookup?: Lookup }

/** Makes connections to public addresses only, unless the operator allows private networks. */
function guardedConnect({ allowPrivateNetworks, lookup }: DoorOptions): Connect {
  const isAllowed = allowPrivateNetworks ? () => true : isPublicAddress
  return guardedConnector({
    isAllowed,
    lookup: lookup ?? (allowPrivateNetworks ? resolveAnyName : resolvePublicName()),
  })
}
