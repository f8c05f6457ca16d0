import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Sourcify, Etherscan and Blockscout on one local port, each with the paths and answers of its real API. A test adds verified
 * contracts and lets a service misbehave.
 */

export type ServiceName = 'sourcify' | 'etherscan' | 'blockscout'
export type Misbehaviour = 'down' | 'slow' | 'html' | 'large' | 'error' | 'redirect' | 'key refused' | 'empty'
export type Verified = { abi: readonly object[]; name: string; userdoc?: object; devdoc?: object }

export type AbiServers = {
  /** The variables of a service that uses these servers. */
  variables: Record<'ABI_SOURCES' | 'SOURCIFY_URL' | 'ETHERSCAN_URL' | 'ETHERSCAN_API_KEY' | 'BLOCKSCOUT_URLS', string>
  verify(service: ServiceName, address: string, contract: Verified): void
  misbehave(service: ServiceName, how: Misbehaviour | undefined): void
  /** The requests so far: the service and the address. */
  requests: string[]
  close(): Promise<void>
}

const key = 'etherscan-key-4711'

export async function startAbiServers(chainId = 31337): Promise<AbiServers> {
  const contracts = new Map<string, Verified>()
  const faults = new Map<ServiceName, Misbehaviour>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const service = url.pathname.split('/')[1] as ServiceName
    const asked = askedOf(service, url)
    if (!asked) return void response.writeHead(400).end('{"message":"unknown path"}')
    requests.push(`${service} ${asked.address}`)
    const fault = faults.get(service)
    if (fault) return misbehaviours[fault](response, url)
    const isServed = asked.chainId === undefined || asked.chainId === String(chainId)
    answers[service](response, isServed ? contracts.get(`${service} ${asked.address}`) : undefined, asked)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    variables: {
      ABI_SOURCES: 'sourcify,etherscan,blockscout',
      SOURCIFY_URL: `${base}/sourcify`,
      ETHERSCAN_URL: `${base}/etherscan/v2/api`,
      ETHERSCAN_API_KEY: key,
      BLOCKSCOUT_URLS: `${chainId}=${base}/blockscout`,
    },
    verify: (service, address, contract) => void contracts.set(`${service} ${address.toLowerCase()}`, contract),
    misbehave: (service, how) => void (how ? faults.set(service, how) : faults.delete(service)),
    requests,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Asked = { address: string; chainId?: string; apiKey?: string }

/** Undefined if the real service has no such path. */
function askedOf(service: ServiceName, url: URL): Asked | undefined {
  const { pathname, searchParams } = url
  const address = '(0x[0-9a-f]{40})$'
  if (service === 'sourcify') {
    const found = new RegExp(`^/sourcify/v2/contract/(\\d+)/${address}`).exec(pathname)
    return found && searchParams.get('fields')?.split(',').includes('abi')
      ? { chainId: found[1] ?? '', address: found[2] ?? '' }
      : undefined
  }
  if (service === 'blockscout') {
    const found = new RegExp(`^/blockscout/api/v2/smart-contracts/${address}`).exec(pathname)
    return found ? { address: found[1] ?? '' } : undefined
  }
  const isCall = searchParams.get('module') === 'contract' && searchParams.get('action') === 'getsourcecode'
  if (pathname !== '/etherscan/v2/api' || !isCall) return undefined
  return {
    chainId: searchParams.get('chainid') ?? '',
    address: searchParams.get('address') ?? '',
    apiKey: searchParams.get('apikey') ?? '',
  }
}

type Answer = (response: ServerResponse, contract: Verified | undefined, asked: Asked) => void
const answers: Record<ServiceName, Answer> = {
  sourcify(response, contract, { chainId, address }) {
    if (!contract)
      return json(response, { match: null, creationMatch: null, runtimeMatch: null, chainId, address }, 404)
    const { abi, name, userdoc, devdoc } = contract
    const compilation = { language: 'Solidity', compiler: 'solc', name, fullyQualifiedName: `src/${name}.sol:${name}` }
    json(response, { match: 'exact_match', chainId, address, abi, compilation, userdoc, devdoc })
  },
  etherscan(response, contract, { apiKey }) {
    if (apiKey !== key) return refuseKey(response, apiKey)
    const verified = contract && { ABI: JSON.stringify(contract.abi), ContractName: contract.name, SourceCode: '…' }
    const missing = { ABI: 'Contract source code not verified', ContractName: '', SourceCode: '' }
    json(response, { status: '1', message: 'OK', result: [verified ?? missing] })
  },
  blockscout(response, contract) {
    if (!contract) return json(response, { message: 'Not found' }, 404)
    json(response, { name: contract.name, abi: contract.abi, is_verified: true, language: 'solidity' })
  },
}

/** The sentence has the key, so that a test sees whether somebody repeats it. */
function refuseKey(response: ServerResponse, apiKey = ''): void {
  json(response, { status: '0', message: 'NOTOK', result: `Invalid API Key (#err2)|${apiKey}` })
}

const misbehaviours: Record<Misbehaviour, (response: ServerResponse, url: URL) => void> = {
  down: (response) => response.destroy(),
  slow: () => undefined,
  html: (response) => response.setHeader('content-type', 'text/html').end('<html>Just a moment…</html>'),
  large: (response) => response.end(`{"abi":[],"padding":"${'x'.repeat(10 * 1024 * 1024)}"}`),
  error: (response) => json(response, { message: 'Internal error' }, 500),
  redirect: (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  'key refused': (response, url) => refuseKey(response, url.searchParams.get('apikey') ?? ''),
  empty: (response) => json(response, {}),
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
