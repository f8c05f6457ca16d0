import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Icon } from '../icons.tsx'
import classes from './pipeline.module.css'

export type Stage = {
  name: string
  icon: Icon
  /** `idle`: the stage did not run. */
  state: 'passed' | 'firing' | 'error' | 'idle'
  durationMs?: number | undefined
  /** The value that the last sample had here. */
  value: ReactNode
  /** One line of result. */
  about?: ReactNode
  /** The number of issues, beside the name. */
  badge?: ReactNode
  open?: () => void
  isOpen?: boolean
}

/** Source → condition → data → message → destinations, each lit by the last sample. On a phone it is vertical. */
export function Pipeline({ stages }: { stages: Stage[] }) {
  return (
    <ol className={classes.pipeline} aria-label="Pipeline">
      {stages.map((stage) => (
        <li key={stage.name} className={classes.stage} data-state={stage.state} data-active={stage.isOpen}>
          {stage.open ? (
            <UnstyledButton className={classes.open} onClick={stage.open} aria-expanded={stage.isOpen === true}>
              <StageText {...stage} />
            </UnstyledButton>
          ) : (
            <StageText {...stage} />
          )}
        </li>
      ))}
    </ol>
  )
}

const stateWords = { passed: '', firing: 'Needs attention', error: 'Error', idle: 'Not run' }

/** The content of one stage. */
export function StageText({ name, icon: Icon, state, durationMs, value, about, badge }: Stage) {
  return (
    <>
      <span className={classes.head}>
        <span className={classes.ring}>
          <Icon size={14} />
        </span>
        <span className={classes.name}>{name}</span> {badge}
        <span className={classes.duration}>
          {durationMs === undefined ? stateWords[state] : `${Math.round(durationMs).toLocaleString('en')} ms`}
        </span>
      </span>
      <span className={classes.value}>{value}</span>
      {about && <span className={classes.about}>{about}</span>}
    </>
  )
}
