import { listRules } from '../../engine/sources/chains.ts'
import type { Handler } from '../handler.ts'

export const listChains: Handler<'listChains'> = async () => ({
  chains: listRules().map(({ description }) => description),
})
