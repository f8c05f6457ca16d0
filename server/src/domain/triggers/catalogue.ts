import { templateHelpers } from '@tocsin/contract'
import type { Handler } from '../handler.ts'
import { coreActions } from './core-actions/index.ts'

export const listCoreActions: Handler<'listCoreActions'> = async () => ({ actions: coreActions })

export const getTemplateHelpers: Handler<'getTemplateHelpers'> = async () => ({
  templating: { helpers: templateHelpers },
})
