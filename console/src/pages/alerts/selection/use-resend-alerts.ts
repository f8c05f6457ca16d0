import { useChange } from '../../../data/changes.ts'
import { notifySuccess } from '../../../data/notices.ts'

/** What the service takes in one call. */
const idsMax = 100

/** Resends alerts, and says how many are queued. A second try after an error queues no alert that is queued already. */
export function useResendAlerts(): (ids: readonly string[]) => Promise<void> {
  const replay = useChange('replayAlerts')
  return async (ids) => {
    let resent = 0
    for (let at = 0; at < ids.length; at += idsMax)
      resent += (await replay.mutateAsync({ body: { ids: ids.slice(at, at + idsMax) } })).resentCount
    notifySuccess(noticeOf(resent, ids.length - resent))
  }
}

function noticeOf(resent: number, others: number): string {
  if (resent === 0) return 'There was nothing to resend.'
  const rest = others === 0 ? '' : ` ${countOf(others)} had nothing to resend.`
  return `${countOf(resent)} queued for resending.${rest}`
}

function countOf(alerts: number): string {
  return alerts === 1 ? '1 alert' : `${alerts.toLocaleString('en')} alerts`
}
