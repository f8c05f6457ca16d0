import { Agent, type buildConnector, type Dispatcher, WebSocket as UndiciWebSocket } from 'undici'
import { authorizationOf, parseAddress, withoutUser } from './hop.ts'
import { UpstreamError, upstreamError } from './upstream-error.ts'

export type WebSocketOptions = { timeoutMs: number; messageBytesMax?: number }

const messageBytesDefault = 32 * 1024 * 1024

/**
 * Opens a web socket or throws an UpstreamError. The handshake follows no redirects. A message above the limit closes the socket.
 * Messages are never compressed: some kilobytes could become a message as large as the limit.
 */
export async function openWebSocket(
  connect: buildConnector.connector,
  address: string,
  { timeoutMs, messageBytesMax = messageBytesDefault }: WebSocketOptions,
): Promise<WebSocket> {
  const url = parseAddress(address, ['ws:', 'wss:'])
  const connectFailure: { error?: unknown } = {}
  const agent = new Agent({
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        connectFailure.error = error ?? undefined
        if (error) callback(error, null)
        else callback(null, socket)
      }),
    webSocket: { maxPayloadSize: messageBytesMax },
  })
  const dispatcher = agent.compose(withoutExtensions)
  const socket = new UndiciWebSocket(withoutUser(url), { dispatcher, headers: authorizationOf(url) })
  socket.addEventListener('close', () => void agent.destroy())
  try {
    await waitUntilOpen(socket, timeoutMs)
    return socket
  } catch (error) {
    await agent.destroy()
    const isTimedOut = error === lateError
    throw upstreamError(connectFailure.error ?? error, { host: url.host, timeoutMs, isTimedOut })
  }
}

const extensions = 'sec-websocket-extensions'

/** The WebSocket of undici always offers compression, and accepts it from a server that was not offered it. */
function withoutExtensions(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
  return (options, handler) => {
    const headers = Object.entries(options.headers ?? {}).filter(([name]) => name.toLowerCase() !== extensions)
    const refusing: Dispatcher.DispatchHandler = Object.create(handler, {
      onRequestUpgrade: {
        value(...[controller, status, answered, socket]: Parameters<OnUpgrade>) {
          if (answered[extensions] === undefined)
            return handler.onRequestUpgrade?.call(refusing, controller, status, answered, socket)
          controller.abort(new Error('compression that nobody offered'))
          return false
        },
      },
    })
    return dispatch({ ...options, headers: Object.fromEntries(headers) }, refusing)
  }
}

type OnUpgrade = NonNullable<Dispatcher.DispatchHandler['onRequestUpgrade']>

const lateError = new Error('late')

async function waitUntilOpen(socket: UndiciWebSocket, timeoutMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(lateError), timeoutMs)
  socket.addEventListener('open', () => resolve())
  socket.addEventListener('error', () => reject(refusedHandshake(socket.url)))
  socket.addEventListener('close', () => reject(refusedHandshake(socket.url)))
  try {
    await promise
  } finally {
    clearTimeout(timer)
  }
}

function refusedHandshake(url: string): UpstreamError {
  return new UpstreamError('failed', `${new URL(url).host} did not open a web socket.`)
}
