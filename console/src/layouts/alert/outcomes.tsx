import { ChannelGlyph, type Outcome } from '../../components/patterns/channel-glyph.tsx'
import { kindOf } from '../destination/blueprints.ts'
import type { Alert } from './alert-status.ts'

type Destination = Alert['destinations'][number]
const shownMax = 4
const words: Record<Outcome, string> = {
  delivered: 'delivered',
  retrying: 'retrying',
  failed: 'failed',
  queued: 'queued',
  dropped: 'not sent',
}

/** The destinations of an alert with their outcome. */
export function Outcomes({ alert, titleOf }: { alert: Alert; titleOf: (fullname: string) => string }) {
  const { destinations } = alert
  return (
    <>
      {destinations.slice(0, shownMax).map((destination) => {
        const outcome = outcomeOf(destination)
        const label = `${titleOf(destination.resource)}: ${words[outcome]}`
        return <ChannelGlyph key={destination.resource} kind={kindOf(destination.blueprint)} {...{ outcome, label }} />
      })}
      {destinations.length > shownMax && `+${destinations.length - shownMax}`}
    </>
  )
}

function outcomeOf({ status, isRetrying }: Destination): Outcome {
  switch (status) {
    case 'delivered':
      return 'delivered'
    case 'dead':
      return 'failed'
    case 'dropped':
      return 'dropped'
    default:
      return isRetrying ? 'retrying' : 'queued'
  }
}
