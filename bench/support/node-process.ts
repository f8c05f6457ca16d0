/** An EVM node in its own process. It serves JSON-RPC over HTTP and web sockets on one port. */
import { startEvmNode } from '../../tests/nodes/evm.ts'

const node = await startEvmNode()
console.log(`serving at ${node.url}`)
process.once('SIGTERM', () => process.exit())
