/** The baseline for latency: a plain script with viem gets heads by web socket, reads the block's logs and sends one request per log. */
import { createPublicClient, type Hex, webSocket } from 'viem'

const [, , endpoint = '', hook = '', topic = ''] = process.argv
const client = createPublicClient({ transport: webSocket(endpoint) })
client.watchBlocks({
  onBlock: async ({ hash }) => {
    const logs = await client.getLogs({ blockHash: hash })
    const wanted = logs.filter((log) => (log.topics as Hex[])[0] === topic)
    await Promise.all(
      wanted.map((log) => fetch(hook, { method: 'POST', body: JSON.stringify({ data: log.data, at: log.blockHash }) })),
    )
  },
})
console.log(`serving at ${hook}`)
process.once('SIGTERM', () => process.exit())
