#!/usr/bin/perl
# A host in another language, written from docs/reference/line-protocol.md alone. Its network is a pretence that lives in
# the file "network" of its folder. What follows on the command line makes it break the protocol in one way.
use strict;
use warnings;
use Fcntl;
use IO::Handle;
use IO::Select;
use JSON::PP;
use MIME::Base64;

my %breaks = map { $_ => 1 } @ARGV;
my $json = JSON::PP->new->utf8->canonical;
open(my $peer, '+<&=', $ENV{TABLEGRAM_LINE_FD}) or exit 64;
binmode $peer;
my $select = IO::Select->new($peer);
my ($held, $until, $online, $number) = ('', 0, 0, 0);
my ($folder, $rehearses, $session) = ('', 0, '');
my %net = (taken => [], phone => '', refuse => 0, lose => 0, ids => 0);
my (%events, %names);

sub now_s { open(my $file, '<', '/proc/uptime') or die; my ($s) = split ' ', <$file>; return $s }
sub now_ms { return int(time() * 1000) }

sub say_frame {
    my $raw = $json->encode($_[0]) . "\n";
    $raw = "what is this\n" if $breaks{nonsense} && exists $_[0]{note};
    while (length $raw) {
        my $wrote = syswrite($peer, $raw);
        exit 0 unless defined $wrote;
        substr($raw, 0, $wrote) = '';
    }
}

sub note { say_frame({ note => { kind => $_[0], data => $_[1] } }) }

sub tell_event {
    my ($kind, $name, $data) = @_;
    $name .= ++$net{renamed} if $breaks{renames};
    return if $names{$name}++;
    my $event = { n => ++$number, kind => $kind, name => $name, data => $data };
    unless ($breaks{forgets}) {
        open(my $journal, '>>', "$folder/journal") or die;
        print $journal $json->encode($event), "\n";
        $journal->flush;
        $journal->sync;
    }
    $events{ $event->{n} } = $event;
    say_frame({ event => $event });
}

sub state_note {
    return note('state', { state => 'connected', phone => $net{phone}, reason => '' }) if $net{phone};
    note('state', { state => 'pairing', reason => 'waiting_for_phone' });
    note('qr', { code => 'perl-' . ++$net{ids}, until_ms => now_ms() + 20_000 });
}

sub log_out {
    ($net{phone}, $session) = ('', '');
    note('session', { session => '' });
    note('state', { state => 'logged_out', reason => $_[0] });
    return {};
}

sub refuse { die { code => $_[0], detail => $_[1], @_[2 .. $#_] } }

sub send_message {
    my ($with) = @_;
    refuse('line_offline', 'No phone is linked.', $breaks{loses} ? () : (again_s => 2, holds => 'line')) unless $net{phone};
    refuse('content_unsupported', 'This line sends texts.') unless ($with->{content}{type} // '') eq 'text';
    if ($net{refuse}) { $net{refuse} = 0; refuse('not_on_network', 'This number has no account.', network_code => 404) }
    push @{ $net{taken} }, $with->{key};
    push @{ $net{taken} }, $with->{key} if $breaks{twice};
    if ($net{lose}) { $net{lose} = 0; refuse('answer_lost', 'The answer was lost.', sent => $breaks{guesses} ? 'no' : 'unknown', again_s => 5) }
    return { id => $with->{id} };
}

sub rehearse {
    my ($with) = @_;
    my $what = $with->{what};
    if ($what eq 'scan') {
        $net{phone} = $with->{phone};
        $session = encode_base64($with->{phone}, '');
        note('session', { session => $session });
        state_note();
    } elsif ($what eq 'message') {
        my $id = 'PERL' . ++$net{ids} . $$;
        my $data = { id => $id, at_ms => now_ms(), type => 'text', text => $with->{text}, from => { phone => $with->{phone} } };
        tell_event('message', "m:$id", $data) for 1 .. $with->{times};
        return { id => $id };
    } elsif ($what eq 'taken') {
        return { keys => $net{taken} };
    } elsif ($what eq 'end') {
        log_out('logged_out_by_phone');
    } else {
        $net{$what} = 1;
    }
    return {};
}

my %orders = (
    pair => sub { return { code => 'ABCD1234', until_ms => now_ms() + 160_000 } },
    send => \&send_message,
    probe => sub { return { state => $net{phone} ? 'connected' : 'pairing' } },
    logout => sub { return log_out('logged_out_here') },
    rehearse => sub { refuse('unknown_order', 'Not here.') unless $rehearses; return rehearse(@_) },
);

sub carry_out {
    my ($order) = @_;
    my $answer = eval {
        refuse('unknown_order', 'This host does not know that.') unless $orders{ $order->{do} };
        refuse('unled', 'The line may be run elsewhere.', again_s => 1) unless now_s() < $until || $breaks{unled};
        { ok => $orders{ $order->{do} }->($order->{with} // {}) };
    } // { no => ref $@ ? $@ : { code => 'engine_failed', detail => 'It failed.', sent => 'unknown', again_s => 5 } };
    say_frame({ id => $order->{id}, %$answer });
    say_frame({ id => $order->{id}, %$answer }) if $breaks{repeats};
}

sub greet {
    my ($hello) = @_;
    my $is_other = ($hello->{protocol} // 0) != 1 && !$breaks{any_version};
    my %ready = (protocol => 1, engine => 'perl', version => '1', can => [ 'text', $is_other ? () : 'rehearse' ]);
    say_frame({ ready => { %ready, $is_other ? (refused => 'protocol') : () } });
    exit 2 if $is_other;
    ($folder, $session) = ($hello->{folder}, $hello->{session} // '');
    $rehearses = ($hello->{settings}{rehearse} // '') eq 'yes';
    $net{phone} = decode_base64($session);
    open(my $journal, '<', "$folder/journal") or return;
    while (my $line = <$journal>) {
        my $event = eval { $json->decode($line) } or next;
        ($events{ $event->{n} }, $names{ $event->{name} }, $number) = ($event, 1, $event->{n});
        say_frame({ event => $event });
    }
}

sub obey {
    my ($frame) = @_;
    if ($online && now_s() >= $until) { $online = 0; note('state', { state => 'disconnected', reason => 'unled' }) }
    if ($frame->{hello}) { greet($frame->{hello}) }
    elsif ($frame->{alive}) {
        $until = $frame->{alive}{until};
        if (!$online && now_s() < $until) { $online = 1; state_note() }
    }
    elsif (defined $frame->{took}) { delete $events{ $frame->{took} }; truncate("$folder/journal", 0) unless %events }
    elsif (exists $frame->{id} && $frame->{do}) { carry_out($frame) }
}

while (1) {
    while ($held =~ s/^([^\n]*)\n//) {
        my $frame = eval { $json->decode($1) };
        ref $frame eq 'HASH' ? obey($frame) : $breaks{tolerates} ? next : exit 1;
    }
    exit 1 if length $held > 1 << 20;
    next unless $select->can_read(1);
    my $got = sysread($peer, $held, 1 << 16, length $held);
    next if !$got && $breaks{outlives} && sleep 1;
    exit 0 unless $got;
}
