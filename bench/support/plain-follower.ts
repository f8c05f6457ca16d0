/**
 * The baseline for following: a plain script that asks the same nodes for the same answers and parses them. For a web
 * socket it gets the heads announced; over HTTP it asks for the head once a block time. It reads each block's logs.
 */
import { WebSocket } from 'ws'

const [, , blockMs = '2000', ...endpoints] = process.argv
for (const endpoint of endpoints) {
  if (endpoint.startsWith('ws')) followSocket(endpoint)
  else setInterval(() => void readHttp(endpoint), Number(blockMs))
}
console.log('serving at http://127.0.0.1')
process.once('SIGTERM', () => process.exit())

function followSocket(endpoint: string): void {
  const socket = new WebSocket(endpoint)
  const send = (id: number, method: string, params: unknown[]) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  socket.on('open', () => send(1, 'eth_subscribe', ['newHeads']))
  socket.on('message', (text) => {
    const { id, params, result } = JSON.parse(String(text))
    if (params?.result) send(2, 'eth_getBlockByNumber', [params.result.number, false])
    else if (id === 2) send(3, 'eth_getLogs', [{ blockHash: result.hash }])
  })
}

async function readHttp(endpoint: string): Promise<void> {
  const ask = async (method: string, params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(endpoint, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    return JSON.parse(await response.text()).result
  }
  const { hash } = await ask('eth_getBlockByNumber', ['latest', false])
  await ask('eth_getLogs', [{ blockHash: hash }])
}
