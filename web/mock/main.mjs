import { serve } from './server.mjs';

const port = Number(process.env.LAB_PORT ?? 8765);
await serve(port);
console.log(`The stand-in for the Lab: http://127.0.0.1:${port}/?token=dev (add .read to the token to look only)`);
