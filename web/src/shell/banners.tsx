import { dismiss } from '../state/notices';
import { hurry } from '../state/session';
import { useLab } from '../state/store';
import { useWords } from '../words/words';
import { showIn } from './show';

export function Banners() {
  const { t } = useWords();
  const { status, attempt, alarm, refused } = useLab();
  return (
    <div role="region" aria-label={t('state')} aria-live="polite">
      {status !== 'open' && (
        <div className="banner" role="status" data-testid="connection">
          <span className="grow">{status === 'connecting' ? t('connecting') : refused ? t('refused') : t('lost', { n: attempt })}</span>
          {status === 'lost' && <button type="button" className="button" onClick={hurry}>{t('retryNow')}</button>}
        </div>
      )}
      {alarm && (
        <div className="banner alarm" role="alert" data-testid="alarm">
          <strong>{t('alarmTitle', { n: alarm.step })}</strong>
          <span className="grow">{t('alarmText', { path: alarm.path, op: alarm.op, what: alarm.what })}</span>
          <button type="button" className="button" onClick={() => void showIn(alarm.training, alarm.path, alarm.view)}>{t('showNode')}</button>
          <button type="button" className="button" onClick={() => useLab.setState({ alarm: null })}>{t('dismiss')}</button>
        </div>
      )}
    </div>
  );
}

export function Notices() {
  const { t } = useWords();
  const notices = useLab((state) => state.notices);
  return (
    <div className="notices" role="region" aria-label={t('notices')} aria-live="assertive">
      {notices.map(({ id, kind, title, text, mend }) => (
        <div key={id} className={`notice floating ${kind}`} data-testid="notice">
          <strong>{title}</strong>
          <button type="button" className="button quiet" aria-label={t('dismiss')} onClick={() => dismiss(id)}>✕</button>
          <p>{text}</p>
          {mend !== undefined && <p className="soft">{mend}</p>}
        </div>
      ))}
    </div>
  );
}
