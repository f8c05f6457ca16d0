import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'
import { Exchange } from '../../layouts/destination/exchange.tsx'
import classes from './deliveries.module.css'

type Attempt = TracedAlert['deliveries'][number]['attempts'][number]

/** The attempts of a delivery as a timeline. One with a request or an answer opens by a click; `isOpen` opens the last. */
export function Attempts({ attempts, isOpen }: { attempts: Attempt[]; isOpen: boolean }) {
  const [opened, setOpened] = useState<string | undefined>(isOpen ? attempts.at(-1)?.at : undefined)
  if (attempts.length === 0) return null
  return (
    <ol className={classes.attempts} aria-label="Attempts">
      {attempts.map((attempt, at) => (
        <li key={attempt.at} data-ok={attempt.ok}>
          <Row
            {...{ attempt, number: at + 1 }}
            isOpen={opened === attempt.at}
            toggle={() => setOpened(opened === attempt.at ? undefined : attempt.at)}
          />
          {opened === attempt.at && <Exchange attempt={attempt} />}
        </li>
      ))}
    </ol>
  )
}

type RowProps = { attempt: Attempt; number: number; isOpen: boolean; toggle: () => void }

function Row({ attempt, number, isOpen, toggle }: RowProps) {
  const content = <Line attempt={attempt} number={number} />
  if (!attempt.request && !attempt.response) return <div className={classes.row}>{content}</div>
  return (
    <UnstyledButton className={classes.row} aria-expanded={isOpen} onClick={toggle}>
      {content}
    </UnstyledButton>
  )
}

function Line({ attempt: { at, ok, status, error, note, durationMs }, number }: { attempt: Attempt; number: number }) {
  return (
    <>
      <span className={classes.number}>Attempt {number}</span>
      <Status value={ok ? 'ok' : 'failed'} label={status === undefined ? (ok ? 'Sent' : 'Failed') : String(status)} />
      <span className={classes.outcome}>{error ?? note ?? (ok ? 'Delivered' : 'Failed without a reason')}</span>
      <span className={classes.time}>
        {durationMs.toLocaleString('en')} ms · <RelativeTime at={at} />
      </span>
    </>
  )
}
