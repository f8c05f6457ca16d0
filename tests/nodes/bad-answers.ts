import type { ServerResponse } from 'node:http'
import type { Said, ScriptedCall } from './scripted-node.ts'

/** Bad behaviours of a node, and the message that a person should read. */
/** `isSlow`: the call ends by its time limit. */
export type BadAnswer = { name: string; says: Says; told: RegExp; isSlow?: true }
type Says = (call: ScriptedCall) => Said

const megabyte = 'x'.repeat(1 << 20)

/** An endless reply: it declares no length and stops when the reader closes the connection. */
function flood(response: ServerResponse): void {
  let left = 50
  const pour = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1
      if (!response.write(megabyte)) return void response.once('drain', pour)
    }
    response.end()
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  pour()
}

/** The node gives no usable JSON-RPC reply to any call. */
export const brokenNodes: BadAnswer[] = [
  { name: 'a web page', says: () => '<!doctype html><title>Just a moment…</title>', told: /web page/ },
  { name: 'text', says: () => 'no healthy upstream', told: /not JSON/ },
  { name: 'nothing', says: () => '', told: /not JSON/ },
  { name: 'half of a JSON', says: () => '{"jsonrpc":"2.0","id":', told: /not JSON/ },
  { name: 'JSON null', says: () => 'null', told: /not JSON-RPC/ },
  { name: 'a list', says: () => '[]', told: /not JSON-RPC/ },
  { name: 'neither result nor error', says: ({ id }) => ({ id }), told: /neither result nor error/ },
  { name: 'the answer to another call', says: () => ({ id: 1e9, result: 1 }), told: /was not asked/ },
  { name: 'an error without words', says: ({ id }) => ({ id, error: true }), told: /error without a message/ },
  { name: 'HTTP 429', says: () => ({ status: 429, body: '' }), told: /slow down|HTTP 429/ },
  { name: 'HTTP 503', says: () => ({ status: 503, body: '' }), told: /HTTP 503/ },
  { name: 'a cut line', says: () => 'cut', told: /closed the connection/ },
  { name: 'a hang', says: () => 'hang', told: /did not answer within|took longer than/, isSlow: true },
  {
    name: '50 MB',
    says: () => flood,
    // A busy machine may not reach the size limit within the time limit.
    told: /more than \d+ bytes|did not answer within|took longer than/,
    isSlow: true,
  },
  {
    name: 'a body that is said to have 50 MB',
    says: () => ({ status: 200, headers: { 'content-length': String(50 << 20) }, body: '{' }),
    told: /more than \d+ bytes/,
  },
  // Small enough for every method.
  { name: 'a JSON bomb', says: () => `{"id":1,"result":${'['.repeat(60_000)}`, told: /not JSON|nested/ },
]

/** The node replies, but the result is not a block, head or account. */
export const senselessNodes: [string, Says][] = [
  ['null', ({ id }) => ({ id, result: null })],
  ['a number', ({ id }) => ({ id, result: 5 })],
  ['a word', ({ id }) => ({ id, result: 'yes' })],
  ['no bytes', ({ id }) => ({ id, result: '0x' })],
  ['an empty object', ({ id }) => ({ id, result: {} })],
  ['an empty list', ({ id }) => ({ id, result: [] })],
  ['a list of null', ({ id }) => ({ id, result: [null] })],
]
