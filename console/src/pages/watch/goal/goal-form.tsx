import { useState } from 'react'
import { ChoiceCards } from '../../../components/choice-cards.tsx'
import { checkAnswers, type Issues } from '../model/check.ts'
import { type Answers, type Goal, usualAnswers } from '../model/goal.ts'
import { notSeenBy, planWatches } from '../model/plan.ts'
import type { CoreAction, Source } from '../model/source.ts'
import { AnswerFields } from '../questions/answer-fields.tsx'
import { NetworkSelect } from '../questions/network-select.tsx'
import { Question } from '../questions/question.tsx'
import { SubjectField } from '../questions/subject-field.tsx'
import { WhereTo } from '../questions/where-to.tsx'
import { LiveResult } from '../result/live-result.tsx'
import { Summary } from '../result/summary.tsx'
import { useGoLive } from '../result/use-go-live.ts'
import classes from '../watch.module.css'

type GoalFormProps = {
  goal: Goal
  sources: Source[]
  actions: CoreAction[]
  /** What the first question starts with. */
  start: { source?: string; subject?: string }
}

export function GoalForm({ goal, sources, actions, start: given }: GoalFormProps) {
  const form = useGoalForm(goal, sources, given)
  const [resources, setResources] = useState<string[]>([])
  const live = useGoLive()
  const { answers, change, choice, choices, subject, issues } = form
  if (!answers || !choice || !subject) return null
  const sentence = choice.says(answers, answers.subject === '' ? '…' : answers.subject)
  const source = answers.source
  if (live.data)
    return <LiveResult live={live.data} sentence={`When ${sentence} on ${source.title}.`} source={source} />
  const start = () => {
    if (form.check()) live.mutate({ watches: () => planWatches(choice, answers, actions), resources })
  }
  return (
    <div className={classes.columns}>
      <div className={classes.questions}>
        <Question number={1} title="What">
          <NetworkSelect sources={sources} value={answers.source} onChange={form.setSource} />
          <SubjectField
            subject={subject}
            source={answers.source}
            hasFeeds={goal.name === 'price'}
            value={answers.subject}
            onChange={(text) => change({ subject: text })}
            error={issues.subject}
          />
        </Question>
        <Question number={2} title="When">
          <ChoiceCards label="Tell me about" choices={choices} value={choice.value} onChange={form.setChoice} />
          <AnswerFields choice={choice} answers={answers} onChange={change} issues={issues} />
        </Question>
        <Question number={3} title="Destination">
          <WhereTo value={resources} onChange={setResources} />
        </Question>
      </div>
      <Summary
        sentence={`When ${sentence} on ${source.title}`}
        source={source}
        resources={resources}
        notSeen={notSeenBy(choice, answers, actions)}
        isStarting={live.isPending}
        error={live.error}
        made={live.made}
        start={start}
      />
    </div>
  )
}

function useGoalForm(goal: Goal, sources: Source[], start: GoalFormProps['start']) {
  const [source, setSource] = useState(sources.find(({ fullname }) => fullname === start.source) ?? sources[0])
  const [given, setGiven] = useState<Partial<Answers>>({ subject: start.subject ?? '' })
  const [chosen, setChosen] = useState<string>()
  const [issues, setIssues] = useState<Issues>({})
  const { subject, choices = [] } = (source && goal.kinds[source.kind]) ?? {}
  const choice = choices.find(({ value }) => value === chosen) ?? choices[0]
  const answers = source && { ...usualAnswers, ...choice?.initial, ...given, source }
  return {
    ...{ answers, subject, choice, choices, issues },
    setSource: (next: Source) => {
      setSource(next)
      setIssues({})
    },
    setChoice: (value: string) => {
      setChosen(value)
      setIssues({})
    },
    change: (part: Partial<Answers>) => {
      setGiven((before) => ({ ...before, ...part }))
      setIssues({})
    },
    /** True if there are no issues. */
    check: () => {
      if (!answers || !subject || !choice) return false
      const found = checkAnswers(subject, choice, answers)
      setIssues(found)
      return Object.keys(found).length === 0
    },
  }
}
