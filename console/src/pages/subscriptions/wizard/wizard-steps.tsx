import { IconCheck } from '../../../components/icons.tsx'
import { type StepName, steps } from './steps.ts'
import classes from './wizard.module.css'

/** The steps of the wizard. Finished steps are buttons. */
export function WizardSteps({ at, go }: { at: number; go: (step: StepName) => void }) {
  return (
    <nav aria-label="Steps">
      <ol className={classes.steps}>
        {steps.map(({ name, title, about }, place) => (
          <li key={name} aria-current={place === at ? 'step' : undefined} data-reached={place <= at || undefined}>
            {place < at ? (
              <button type="button" className={classes.step} onClick={() => go(name)}>
                <span className={classes.dot} data-done>
                  <IconCheck size={13} />
                </span>
                <StepText title={title} about={about} />
              </button>
            ) : (
              <span className={classes.step}>
                <span className={classes.dot}>{place + 1}</span>
                <StepText title={title} about={about} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

function StepText({ title, about }: { title: string; about: string }) {
  return (
    <span>
      <span className={classes.name}>{title}</span> <span className={classes.about}>{about}</span>
    </span>
  )
}
