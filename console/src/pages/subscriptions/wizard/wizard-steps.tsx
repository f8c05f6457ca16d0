import { IconCheck } from '../../../components/icons.tsx'
import type { StepName } from './steps.ts'
import classes from './wizard.module.css'

type WizardStepsProps = { steps: { name: StepName; title: string }[]; at: number; go: (step: StepName) => void }

/** The steps of the wizard. Finished steps are buttons. On a phone only the current step shows its title. */
export function WizardSteps({ steps, at, go }: WizardStepsProps) {
  return (
    <nav aria-label="Steps">
      <ol className={classes.steps}>
        {steps.map(({ name, title }, place) => (
          <li key={name} aria-current={place === at ? 'step' : undefined} data-done={place < at || undefined}>
            {place < at ? (
              <button type="button" className={classes.step} onClick={() => go(name)}>
                <span className={classes.dot}>
                  <IconCheck size={13} />
                </span>
                <span className={classes.name}>{title}</span>
              </button>
            ) : (
              <span className={classes.step}>
                <span className={classes.dot}>{place + 1}</span>
                <span className={classes.name}>{title}</span>
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
