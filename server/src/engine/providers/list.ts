/** The list of providers. A new one is a file beside the others and one line here. */
import type { Provider } from '@tocsin/contract'
import { blockAt } from './block-at.ts'
import { chainRead } from './chain-read.ts'
import { graphql } from './graphql.ts'
import { http } from './http.ts'
import { javascript } from './javascript.ts'
import { otherChainLog } from './other-chain-log.ts'
import { price } from './price.ts'
import { rpc } from './rpc.ts'
import type { MakeRules, ProviderRules } from './rules.ts'
import { stateWindow } from './state-window/index.ts'

const providers: Readonly<Record<Provider['type'], MakeRules>> = {
  http,
  graphql,
  rpc,
  evm_read: chainRead('evm_read'),
  substrate_storage: chainRead('substrate_storage'),
  solana_account: chainRead('solana_account'),
  token_metadata: chainRead('token_metadata'),
  price,
  block_at: blockAt,
  other_chain_log: otherChainLog,
  state_window: stateWindow,
  javascript,
}

export function rulesOf(provider: Provider): ProviderRules {
  const rules = providers[provider.type](provider)
  if (!rules) throw new Error(`the rules of ${provider.type} are those of another provider`)
  return rules
}
