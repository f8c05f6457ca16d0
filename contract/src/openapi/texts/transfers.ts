import type { transferRoutes } from '../../routes/transfers.ts'
import type { TextsOf } from './operation-text.ts'

export const transferTexts: TextsOf<typeof transferRoutes> = {
  planTransfer: {
    description:
      'Answers what a transfer to the target workspace would rename, the conflicts that prevent it, and the `planHash` of the plan. It changes nothing. Of the target workspace it shows only what the caller may see. Only an owner of the project’s workspace may plan.',
    refusals: ['fullname_invalid', 'transfer_blocked_by_addon'],
  },
  createTransferRequest: {
    description:
      'Creates a request that an owner of the target workspace can accept within 7 days. With `expectedPlanHash` it is refused if the plan has changed. A project has at most one pending request, and an account can create 5 in an hour and 20 in a day. Only an owner of the project’s workspace may offer it.',
    refusals: [
      'fullname_invalid',
      'transfer_conflicts',
      'transfer_blocked_by_addon',
      'transfer_already_pending',
      'plan_changed',
    ],
  },
  listTransferRequests: {
    description:
      'Lists the transfer requests of workspaces in which the account is owner or admin, newest first. `workspace`, `direction` and `status` narrow the list. Requests that are older than 7 days are shown as expired.',
    refusals: ['not_found', 'forbidden'],
  },
  acceptTransfer: {
    description:
      'Computes the plan again and applies it in one transaction: it renames the project, its triggers and resources and everything that refers to them, and the former names go on resolving. Triggers run on without a missed or doubled alert. Only an owner of the target workspace may accept.',
    refusals: [
      'request_not_pending',
      'transfer_conflicts',
      'transfer_blocked_by_addon',
      'plan_changed',
      'transfer_failed',
    ],
  },
  rejectTransfer: {
    description:
      'Ends a pending request without a transfer. Only an owner of the target workspace may reject it; the project stays where it is.',
    refusals: ['request_not_pending'],
  },
  cancelTransfer: {
    description:
      'Withdraws a pending request. Only an owner of the project’s workspace may cancel it; the project stays where it is.',
    refusals: ['request_not_pending'],
  },
}
