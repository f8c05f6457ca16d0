import type { CoreAction } from '@tocsin/contract'
import { at, balance, inTransaction, nullableText, texts, transactionLink } from '../../action-fields.ts'
import { evmAddress } from './fields.ts'

const where = 'transactionHash: source.transactionHash, blockNumber: source.blockNumber'
const whereSchema = { transactionHash: 'string', blockNumber: 'integer' }

/** The two tokens of a pair or pool never change, so they are read once an hour at most. */
const providers = (['token0', 'token1'] as const).map((id) => ({
  id,
  type: 'evm_read' as const,
  contract: '{{source.address}}',
  method: `${id}()`,
  abiFragment: `function ${id}() view returns (address)`,
  optional: true,
  cache: { ttlMs: 3_600_000 },
}))
const amounts = 'Swap of {{token raw.amountIn token=raw.tokenIn}} for {{token raw.amountOut token=raw.tokenOut}}'
const tokens = { tokenIn: nullableText, tokenOut: nullableText }

export const uniswapV2Swap: CoreAction = {
  type: 'uniswap_v2_swap',
  title: 'Uniswap v2 swap',
  description: 'A swap in a pair of Uniswap v2 or of one of its forks. Set contract to watch one pair.',
  kind: 'evm',
  triggerSpec: {
    type: 'evm_log',
    dataSource: 'common.ethereum',
    event: 'Swap',
    abiFragment:
      'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
    topicsCount: 3,
    dataBytes: 128,
  },
  inputs: {},
  filtersSchema: {
    pair: at('address', evmAddress, 'The pair contract'),
    sender: at('params.sender', evmAddress, 'The caller of the pair, usually a router'),
    to: at('params.to', evmAddress, 'The receiver'),
    amount0In: at('params.amount0In', balance(0), 'Amount of token 0 paid to the pair, in smallest units'),
    amount1In: at('params.amount1In', balance(0), 'Amount of token 1 paid to the pair, in smallest units'),
    amount0Out: at('params.amount0Out', balance(0), 'Amount of token 0 paid by the pair, in smallest units'),
    amount1Out: at('params.amount1Out', balance(0), 'Amount of token 1 paid by the pair, in smallest units'),
  },
  providers,
  outputSchema: {
    raw: {
      pair: evmAddress,
      sender: evmAddress,
      to: evmAddress,
      direction: { type: 'enum', enum: ['0 for 1', '1 for 0'] },
      ...tokens,
      amountIn: balance(0),
      amountOut: balance(0),
      ...whereSchema,
    },
  },
  transform: {
    language: 'javascript',
    rawSource: `const p = source.params
const paysZero = BigInt(p.amount0In) > 0n
return {
  pair: source.address,
  sender: p.sender,
  to: p.to,
  direction: paysZero ? '0 for 1' : '1 for 0',
  tokenIn: (paysZero ? providers.token0 : providers.token1) ?? null,
  tokenOut: (paysZero ? providers.token1 : providers.token0) ?? null,
  amountIn: String(paysZero ? p.amount0In : p.amount1In),
  amountOut: String(paysZero ? p.amount1Out : p.amount0Out),
  ${where},
}`,
  },
  notSeen: ['The part of a swap that another kind of pool executes.'],
  defaults: {
    ...texts(`${amounts} in {{address raw.pair}}`, {
      title: amounts,
      more: `, to {{address raw.to}}${inTransaction}`,
    }),
    links: transactionLink,
  },
}

/** In v3 amounts are signed from the pool's side: positive means that the pool received the token. */
export const uniswapV3Swap: CoreAction = {
  type: 'uniswap_v3_swap',
  title: 'Uniswap v3 swap',
  description: 'A swap in a pool of Uniswap v3 or of one of its forks. Set contract to watch one pool.',
  kind: 'evm',
  triggerSpec: {
    type: 'evm_log',
    dataSource: 'common.ethereum',
    event: 'Swap',
    abiFragment:
      'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
    topicsCount: 3,
    dataBytes: 160,
  },
  inputs: {},
  filtersSchema: {
    pool: at('address', evmAddress, 'The pool contract'),
    sender: at('params.sender', evmAddress, 'The caller of the pool, usually a router'),
    recipient: at('params.recipient', evmAddress, 'The receiver'),
    amount0: at(
      'params.amount0',
      balance(0),
      'Amount of token 0 paid to the pool (negative: by the pool), in smallest units',
    ),
    amount1: at(
      'params.amount1',
      balance(0),
      'Amount of token 1 paid to the pool (negative: by the pool), in smallest units',
    ),
    tick: at('params.tick', 'integer', 'The tick after the swap'),
  },
  providers,
  outputSchema: {
    raw: {
      pool: evmAddress,
      sender: evmAddress,
      recipient: evmAddress,
      direction: { type: 'enum', enum: ['0 for 1', '1 for 0'] },
      ...tokens,
      amountIn: balance(0),
      amountOut: balance(0),
      amount0: balance(0),
      amount1: balance(0),
      sqrtPriceX96: 'string',
      liquidity: 'string',
      tick: 'integer',
      ...whereSchema,
    },
  },
  transform: {
    language: 'javascript',
    rawSource: `const p = source.params
const paysZero = BigInt(p.amount0) > 0n
return {
  pool: source.address,
  sender: p.sender,
  recipient: p.recipient,
  direction: paysZero ? '0 for 1' : '1 for 0',
  tokenIn: (paysZero ? providers.token0 : providers.token1) ?? null,
  tokenOut: (paysZero ? providers.token1 : providers.token0) ?? null,
  amountIn: String(paysZero ? p.amount0 : p.amount1),
  amountOut: String(-BigInt(paysZero ? p.amount1 : p.amount0)),
  amount0: String(p.amount0),
  amount1: String(p.amount1),
  sqrtPriceX96: String(p.sqrtPriceX96),
  liquidity: String(p.liquidity),
  tick: Number(p.tick),
  ${where},
}`,
  },
  notSeen: ['The part of a swap that another kind of pool executes.'],
  defaults: {
    ...texts(`${amounts} in {{address raw.pool}}`, {
      title: amounts,
      more: `, to {{address raw.recipient}}${inTransaction}`,
    }),
    links: transactionLink,
  },
}
