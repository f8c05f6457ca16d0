import { openDoor } from '../../server/src/engine/outbound/index.ts'
import { openRpcPool, type RpcPool, type RpcPoolOptions } from '../../server/src/engine/sources/rpc-pool/index.ts'
import { type ScriptedNode, startScriptedNode } from './scripted-node.ts'

/** Scripted nodes, and pools over them with a clock that tests set. `clear` closes those of one test, `close` also the door. */
export function scriptedPools() {
  const door = openDoor({ allowPrivateNetworks: true })
  const nodes: ScriptedNode[] = []
  const pools: RpcPool[] = []
  const clock = { ms: 0 }
  const clear = async () => {
    clock.ms = 0
    await Promise.all(pools.splice(0).map((each) => each.close()))
    await Promise.all(nodes.splice(0).map((each) => each.close()))
  }
  return {
    clock,
    door,
    async node(...scripts: Parameters<typeof startScriptedNode>): Promise<ScriptedNode> {
      const started = await startScriptedNode(...scripts)
      nodes.push(started)
      return started
    },
    pool(urls: readonly string[], options: Partial<RpcPoolOptions> = {}): RpcPool {
      const answerSizes = { small: new Set<string>(), large: {} }
      const limits = { timeoutMs: 2000, responseBytesMax: 4096, answerSizes, now: () => clock.ms }
      const opened = openRpcPool(urls, { door, ...limits, ...options })
      pools.push(opened)
      return opened
    },
    clear,
    async close() {
      await clear()
      await door.close()
    },
  }
}
