#!/bin/sh
# Starts an S3-compatible server with one key and one bucket. The key comes from the environment and stands in no file of ours.
set -eu

cat > /tmp/s3.json <<END
{"identities": [{"name": "tablegram", "credentials": [{"accessKey": "tablegram", "secretKey": "$S3_SECRET_KEY"}], "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
END

# The bucket is made once the server listens; to make it again changes nothing.
(
    until echo "s3.bucket.create -name tablegram" | weed shell -master=127.0.0.1:9333 >/dev/null 2>&1; do sleep 1; done
) &
exec weed server -dir=/data -ip=127.0.0.1 -ip.bind=0.0.0.0 -s3 -s3.config=/tmp/s3.json
