from tortoise import migrations
from tortoise.migrations import operations as ops
from tortoise import fields
from tortoise.indexes import Index

# What is known of subscriptions that are there: whose address has answered is confirmed; the audit trail tells which key
# made which, the chain of replacements whose rights count today, and what these have lost is lost from now on.
WHAT_IS_KNOWN = [
    "UPDATE webhook_subscriptions SET confirmed_at = last_success_at WHERE last_success_at IS NOT NULL",
    """UPDATE webhook_subscriptions s SET created_with_id = a.actor_id, key_id = a.actor_id FROM audit_entries a
       WHERE a.organization_id = s.organization_id AND a.env = s.env AND a.subject_id = s.id
         AND a.action = 'webhook.created' AND a.actor_kind = 'key'""",
    """WITH RECURSIVE line AS (
           SELECT id AS first, id, replaced_by_id FROM api_keys
           UNION ALL
           SELECT l.first, k.id, k.replaced_by_id FROM line l JOIN api_keys k ON k.id = l.replaced_by_id
       )
       UPDATE webhook_subscriptions s SET key_id = l.id FROM line l
       WHERE l.first = s.key_id AND l.replaced_by_id IS NULL""",
    """UPDATE webhook_subscriptions s
       SET pii_until = CASE WHEN k.revoked_at IS NOT NULL THEN k.revoked_at
                            WHEN NOT 'pii:full' = ANY (k.scopes) THEN now() ELSE k.expires_at END
       FROM api_keys k WHERE k.id = s.key_id AND s.pii_full""",
    """UPDATE webhook_subscriptions s SET pii_until = now() FROM accounts a
       WHERE s.key_id IS NULL AND s.pii_full AND a.id = s.created_by_id
         AND (a.status <> 'active' OR a.role NOT IN ('owner', 'admin'))""",
]


class Migration(migrations.Migration):
    dependencies = [('core', '0016_opt_out_words')]

    initial = False

    operations = [
        ops.CreateModel(
            name='UnconfirmedAttempt',
            fields=[
                ('id', fields.BigIntField(generated=True, primary_key=True, unique=True, db_index=True)),
                ('organization_id', fields.CharField(max_length=30)),
                ('host', fields.CharField(max_length=253)),
                ('at', fields.DatetimeField(auto_now=False, auto_now_add=False)),
            ],
            options={'table': 'webhook_unconfirmed_attempts', 'app': 'core', 'indexes': [Index(fields=['organization_id', 'host', 'at'])], 'pk_attr': 'id', 'table_description': 'An attempt of the last hour at an address that never answered. It belongs to no subscription: those may go.'},
            bases=['Model'],
        ),
        ops.AddField(
            model_name='WebhookSubscription',
            name='confirmed_at',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.AddField(
            model_name='WebhookSubscription',
            name='created_with_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='WebhookSubscription',
            name='key_id',
            field=fields.CharField(null=True, max_length=30),
        ),
        ops.AddField(
            model_name='WebhookSubscription',
            name='pii_until',
            field=fields.DatetimeField(null=True, auto_now=False, auto_now_add=False),
        ),
        ops.RunSQL(sql=WHAT_IS_KNOWN, reverse_sql=[]),
    ]
