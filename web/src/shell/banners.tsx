import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { shorten } from '../graph/measure';
import { dismiss } from '../state/notices';
import { command, hurry } from '../state/session';
import { useLab, type Way } from '../state/store';
import { countText } from '../words/numbers';
import { useWords } from '../words/words';
import { showIn } from './show';

const PATIENCE = 1000;

export function Banners() {
  const { t, pick, lang } = useWords();
  const { status, attempt, alarm, refused } = useLab(useShallow(({ status, attempt, alarm, refused }) => ({ status, attempt, alarm, refused })));
  // A connection that comes at once is no news, and a banner that flashes moves the page.
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="region" aria-label={t('state')} aria-live="polite">
      {(status === 'lost' || (status === 'connecting' && late)) && (
        <div className="banner" role="status" data-testid="connection">
          <span className="grow">{status === 'connecting' ? t('connecting') : refused ? t('refused') : t('lost', { n: attempt })}</span>
          {status === 'lost' && <button type="button" className="button" onClick={hurry}>{t('retryNow')}</button>}
        </div>
      )}
      {alarm && (
        <div className="banner alarm" role="alert" data-testid="alarm">
          <strong>{t('alarmTitle', { n: alarm.step })}</strong>
          <span className="grow" title={pick(alarm.what)}>{t('alarmText', { path: shorten(alarm.path, 13, 400, 600), op: alarm.op, n: countText(alarm.count, lang) })}</span>
          <button type="button" className="button" onClick={() => void showIn(alarm.training, alarm.path, alarm.view)}>{t('showNode')}</button>
          <button type="button" className="button" onClick={() => useLab.setState({ alarm: null })}>{t('dismiss')}</button>
        </div>
      )}
    </div>
  );
}

export function Notices() {
  const { t, pick } = useWords();
  const { notices, readOnly } = useLab(useShallow(({ notices, readOnly }) => ({ notices, readOnly })));
  const take = (id: number, { message }: Way) => {
    dismiss(id);
    void command(message);
  };
  return (
    <div className="notices" role="region" aria-label={t('notices')} aria-live="assertive">
      {notices.map(({ id, kind, title, text, mend, ways }) => (
        <div key={id} className={`notice floating ${kind}`} data-testid="notice">
          <strong>{pick(title)}</strong>
          <button type="button" className="button quiet" aria-label={t('dismiss')} onClick={() => dismiss(id)}>✕</button>
          <p>{pick(text)}</p>
          {mend !== undefined && <p className="soft">{mend}</p>}
          {ways !== undefined && !readOnly && (
            <p className="row">
              {ways.map((way) => <button key={way.message.do} type="button" className="button" onClick={() => take(id, way)}>{pick(way.label)}</button>)}
            </p>
          )}
        </div>
      ))}
    </div>
  );
}
