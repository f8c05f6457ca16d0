import { Link } from '@tanstack/react-router'
import {
  type Icon,
  IconAlert,
  IconBalance,
  IconChart,
  IconCode,
  IconCoins,
  IconSearch,
  IconVote,
  IconWallet,
} from '../../components/icons.tsx'
import classes from './goal-cards.module.css'
import { addressTexts, type GoalName, goalTexts, healthTexts } from './goal-texts.ts'

const cards: { name: GoalName; icon: Icon }[] = [
  { name: 'wallet', icon: IconWallet },
  { name: 'contract', icon: IconCode },
  { name: 'price', icon: IconChart },
  { name: 'balance', icon: IconBalance },
  { name: 'staking', icon: IconCoins },
  { name: 'governance', icon: IconVote },
]

/** The goals as links, after one to an address that is pasted. A page with the field for the address leaves that one out. */
export function GoalCards({ workspace, hasAddress = true }: { workspace: string; hasAddress?: boolean }) {
  return (
    <ul className={classes.cards}>
      {hasAddress && (
        <li className={classes.wide}>
          <Link to="/w/$workspace/watch/address" params={{ workspace }} className={classes.card}>
            <Face icon={IconSearch} {...addressTexts} />
          </Link>
        </li>
      )}
      {cards.map(({ name, icon }) => (
        <li key={name}>
          <Link to="/w/$workspace/watch/$goal" params={{ workspace, goal: name }} className={classes.card}>
            <Face icon={icon} {...goalTexts[name]} />
          </Link>
        </li>
      ))}
      <li className={classes.wide}>
        <Link to="/w/$workspace/watch/health" params={{ workspace }} className={classes.card}>
          <Face icon={IconAlert} {...healthTexts} />
        </Link>
      </li>
    </ul>
  )
}

function Face({ icon: Icon, title, about }: { icon: Icon; title: string; about: string }) {
  return (
    <>
      <span className={classes.icon}>
        <Icon size={18} />
      </span>
      <span>
        <span className={classes.title}>{title}</span>
        <span className={classes.about}>{about}</span>
      </span>
    </>
  )
}
