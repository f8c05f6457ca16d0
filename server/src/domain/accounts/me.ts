import type { Handler } from '../handler.ts'
import { accountView } from './views.ts'

export const getMe: Handler<'getMe'> = async ({ account }) => accountView(account)
