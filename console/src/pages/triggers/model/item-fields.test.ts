import { chainDescriptions } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { setChains } from '../../../data/chains.ts'
import { startFrom } from './definition.ts'
import { conditionNames } from './item-fields.ts'

setChains(chainDescriptions)

const naming = { name: 't', project: 'acme.p', workspace: 'acme', title: 'T', description: '' }
const definition = {
  ...startFrom(undefined, naming),
  triggerSpec: {
    type: 'evm_call',
    dataSource: 'acme.devnet',
    method: 'transfer',
    abiFragment: 'function transfer(address to, uint256 amount) returns (bool)',
  },
  inputs: { limit: 'number' },
  providers: [{ id: 'price' }],
}

test('the ABI, the type of item, the inputs and the providers name the params, also without a sample', () => {
  const names = conditionNames({ definition, sample: undefined, providersData: {} })
  const kinds = Object.fromEntries(names.map(({ name, kind }) => [name, kind]))
  expect(names[0]).toMatchObject({ name: 'source.params.to', kind: 'address', addressType: 'evm' })
  expect(kinds).toMatchObject({ 'source.params.amount': 'balance', 'inputs.limit': 'number' })
  expect(Object.keys(kinds)).toEqual(
    expect.arrayContaining(['source.success', 'source.block.number', 'providers.price']),
  )
})

test('a sample adds its own paths and kinds, each path once', () => {
  const names = conditionNames({
    definition,
    sample: { success: true, params: { to: '0xabc', memo: 'hi' }, args: ['0xabc'] },
    providersData: { price: { value: '1.5', isStale: false } },
  })
  const paths = names.map(({ name }) => name)
  expect(new Set(paths).size).toBe(paths.length)
  expect(paths).toEqual(
    expect.arrayContaining(['source.params.memo', 'source.args', 'source.args.length', 'providers.price.isStale']),
  )
  expect(names.find(({ name }) => name === 'source.success')?.kind).toBe('boolean')
})
