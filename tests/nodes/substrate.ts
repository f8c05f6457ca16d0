import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Call, signExtrinsic, type TestAccount, testAccount } from './substrate-signing.ts'

export type SubstrateNode = {
  url: string
  wsUrl: string
  /** Both accounts own much of the native token. */
  ann: TestAccount
  bob: TestAccount
  request(method: string, params?: unknown[]): Promise<unknown>
  /** Makes a block of the calls, each signed by its account, and returns its number, hash and the extrinsics' bytes. */
  newBlock(calls?: { from: TestAccount; call: Call }[]): Promise<{ number: number; hash: string; extrinsics: string[] }>
  transfer(from: TestAccount, to: TestAccount, value: bigint): ReturnType<SubstrateNode['newBlock']>
  close(): Promise<void>
}

/** The runtime at this genesis is still the one of Kusama's Asset Hub, with Kusama's prefix. */
export const ss58Prefix = 2

/** A chain of the real runtime of Rococo's Asset Hub, from its genesis, on a free port; no network is used. */
export async function startSubstrateNode(): Promise<SubstrateNode> {
  const script = fileURLToPath(new URL('./substrate-server.ts', import.meta.url))
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'fatal' }
  const child = fork(script, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const port = await portOf(child)
  const url = `http://127.0.0.1:${port}`
  const request = (method: string, params: unknown[] = []) => ask(url, method, params)
  const [ann, bob] = [testAccount('ann', ss58Prefix), testAccount('bob', ss58Prefix)]
  await fund(request, [ann, bob])
  const newBlock = blockMaker(request)
  return {
    url,
    wsUrl: `ws://127.0.0.1:${port}`,
    ann,
    bob,
    request,
    newBlock,
    transfer: (from, to, value) => newBlock([{ from, call: transferCall(to, value) }]),
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

type Request = SubstrateNode['request']

async function portOf(child: ChildProcess): Promise<number> {
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`the node ended with ${code} before it served`)
  })
  exit.catch(() => undefined)
  const [port] = await Promise.race([once(child, 'message'), exit])
  return Number(port)
}

async function ask(url: string, method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

async function fund(request: Request, accounts: TestAccount[]): Promise<void> {
  const wealth = { providers: 1, data: { free: '1000000000000000000' } }
  await request('dev_setStorage', [{ System: { Account: accounts.map(({ address }) => [[address], wealth]) } }])
}

function transferCall(to: TestAccount, value: bigint): Call {
  return { pallet: 'Balances', name: 'transfer_keep_alive', args: { dest: { type: 'Id', value: to.address }, value } }
}

function blockMaker(request: Request): SubstrateNode['newBlock'] {
  const nonces = new Map<string, number>()
  let state: ReturnType<typeof fetchState> | undefined
  return async (calls = []) => {
    state ??= fetchState(request)
    const chain = await state
    const extrinsics = calls.map(({ from, call }) => {
      const nonce = nonces.get(from.address) ?? 0
      nonces.set(from.address, nonce + 1)
      return signExtrinsic(from, call, nonce, chain)
    })
    const hash = String(await request('dev_newBlock', [extrinsics.length > 0 ? { transactions: extrinsics } : {}]))
    const header = (await request('chain_getHeader', [hash])) as { number: string }
    return { number: Number(header.number), hash, extrinsics }
  }
}

async function fetchState(request: Request) {
  const [metadata, genesisHash, version] = await Promise.all([
    request('state_getMetadata'),
    request('chain_getBlockHash', [0]),
    request('state_getRuntimeVersion'),
  ])
  const { specVersion, transactionVersion } = version as { specVersion: number; transactionVersion: number }
  return { metadata: String(metadata), genesisHash: String(genesisHash), specVersion, transactionVersion }
}
