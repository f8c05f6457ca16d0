import { Link } from '@tanstack/react-router'
import { BellMark } from '../components/icons.tsx'
import classes from './shell.module.css'

export function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <BellMark />
      <span className={classes.linkText}>Tocsin</span>
    </Link>
  )
}
