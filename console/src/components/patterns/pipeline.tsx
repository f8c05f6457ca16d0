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
  open?: () => void
  isSelected?: boolean
}

/** Source → condition → data → message → destinations, each lit by the last sample. On a phone it is vertical. */
export function Pipeline({ stages }: { stages: Stage[] }) {
  return (
    <ol className={classes.pipeline} aria-label="Pipeline">
      {stages.map((stage) => (
        <li key={stage.name} className={classes.stage} data-state={stage.state} data-selected={stage.isSelected}>
          {stage.open ? (
            <UnstyledButton className={classes.open} onClick={stage.open} aria-pressed={stage.isSelected === true}>
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

function StageText({ name, icon: Icon, state, durationMs, value, about }: Stage) {
  return (
    <>
      <span className={classes.head}>
        <span className={classes.ring}>
          <Icon size={14} />
        </span>
        <span className={classes.name}>{name}</span>
        <span className={classes.duration}>
          {durationMs === undefined ? stateWords[state] : `${durationMs.toLocaleString('en')} ms`}
        </span>
      </span>
      <span className={classes.value}>{value}</span>
      {about && <span className={classes.about}>{about}</span>}
    </>
  )
}
